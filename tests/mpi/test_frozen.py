"""What a rank is handed of MPI stays as it is, and what mpi4py's users write gives what the waiting calls give."""

import ast
import os
import pickle
from collections import deque
from datetime import date
from decimal import Decimal
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from rows import each, some

pytest.importorskip("mpi4py")

from grader.mpi import coordinator, objects
from grader.worker.launcher import Settings

HERE = Path(__file__).parent
PLACE = Settings(HERE, HERE, device="")
ATTEMPTS = {
    node.targets[0].id: [key.value for key in node.value.keys]
    for node in ast.parse(Path(HERE, "attempts.py").read_text("utf-8")).body
    if isinstance(node, ast.Assign)
}


def test_all_attempts_are_found():
    assert len(ATTEMPTS["CHANGES"]) > 25
    assert len(ATTEMPTS["LIES"]) > 5


def run(function, *args):
    told = vars(coordinator.run(PLACE, 2, ("attempts", function), args))
    assert (told["problem"], told["raised"]) == ("", {})
    return told


@each("name", ATTEMPTS["CHANGES"])
def test_nothing_of_mpi_can_be_changed(name):
    told = run("change", name)
    for rank in range(2):
        found = told["values"][str(rank)]
        assert found["refused"] in {"AttributeError", "TypeError", "Unfollowed"}
        assert (found["told"], found["here"], found["got"]) == ([rank, 2, 2, 3, 1 - rank, 8], [rank, 2], 1)


@each("name", ATTEMPTS["LIES"])
def test_what_is_announced_is_what_travels(name):
    told = run("records", name)
    came = max(told["values"][rank]["came"] for rank in "01")
    calls = zip(told["calls"]["kind"], told["calls"]["size_bytes"], strict=True)
    announced = [size for kind, size in calls if kind in {"send", "collective"}]
    assert came == 100
    assert max(announced) == (400 if name == "counts" else 800)


def test_what_is_exchanged_is_exchanged_whatever_it_says():
    assert run("exchange")["values"]["1"]["found"].tolist() == [*range(11, 21)]


def run_habit(function, *, size=4):
    told = vars(coordinator.run(PLACE, size, ("habits", function), pool_size=4))
    assert (told["problem"], told["raised"], told["refused"]) == ("", {}, [])
    return told


@pytest.mark.parametrize("size", [1, 3, 4])
def test_collective_calls_give_the_same_whether_they_wait_or_not(size):
    told = run_habit("collectives", size=size)
    for rank in range(size):
        for name, (got, later) in some(told["values"][str(rank)].items()):
            assert np.array_equal(got, later), name
    calls = told["calls"]
    given = {(calls["rank"][at], name): calls["size_bytes"][at] for at, name in enumerate(calls["name"])}
    for (rank, name), size_bytes in given.items():
        if name[0] == "I":
            assert size_bytes == given[rank, name[1:].capitalize()], name


def test_collective_calls_give_what_mpi_gives():
    values = run_habit("collectives", size=3)["values"]
    right = {
        "Bcast": [1, 1],
        "Scatter": [2, 3],
        "Scatterv": [1, 2],
        "Allgather": [1, 1, 2, 2, 3, 3],
        "Allgatherv": [1, 2, 2, 3, 3, 3],
        "Alltoall": [2, 3, 12, 13, 22, 23],
        "Alltoallv": [2, 3, 12, 13, 22, 23],
        "Allreduce": [3, 3],
        "Reduce_scatter": [36, 39],
        "Reduce_scatter_block": [36, 39],
        "Scan": [3, 3],
        "Exscan": [1, 1],
        "objects": [3, 1, 6],
    }
    assert {name: values["1"][name][1].tolist() for name in right} == right
    at_root = {"Gather": [1, 1, 2, 2, 3, 3], "Gatherv": [1, 2, 2, 3, 3, 3], "Reduce": [6, 6]}
    assert {name: values["0"][name][1].tolist() for name in at_root} == at_root


def test_requests_are_waited_for_in_each_way_and_begun_again_with_what_the_array_holds_then():
    for found in some(run_habit("requests", size=3)["values"].values()):
        assert {name: one for name, one in found.items() if one != [[1.0, 2.0], [0, 1]]} == {}
    values = run_habit("persistent", size=3)["values"]
    assert [values[rank]["found"] for rank in "012"] == [[20, 21, 22], [0, 1, 2], [10, 11, 12]]
    assert [(one["kept"], one["freed"]) for one in values.values()] == [([True, True], [True, True])] * 3


def test_ranks_stand_in_grids():
    values, null = run_habit("grid")["values"], -1
    assert [values[str(rank)]["got"] for rank in range(4)] == [3, 0, 1, 2]
    assert [values[str(rank)]["ends"] for rank in range(4)] == [[null, 1], [0, 2], [1, 3], [2, null]]
    assert [values[str(rank)]["square"] for rank in range(4)] == [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert values["3"]["topo"] == [[2, 2], [True, False], [1, 1]]
    assert [values[str(rank)]["back"] for rank in range(4)] == [0, 1, 2, 3]
    assert [values[str(rank)]["column"] for rank in range(4)] == [[[2], [0, 2]], [[2], [1, 3]]] * 2
    assert [values[str(rank)]["nobody"] for rank in range(4)] == [False, False, False, True]
    assert values["0"]["is_comm"]


def test_small_calls_answer_as_mpi4py_does():
    values = run_habit("small_calls", size=3)["values"]
    assert [values[rank]["machine"] for rank in "012"] == [[2, 3], [1, 3], [0, 3]]
    for found in values.values():
        assert (found["alike"], found["name"], found["intra"]) == (found["right"], "MPI_COMM_WORLD", [True, False])
        assert (found["processor"], found["nothing"]) == (True, [None, (-32766, True), True])
    assert values["1"]["status"] == [4, 32, 0, False]


def test_the_status_of_a_request_that_is_over_stays_empty_and_the_other_one_stands_at_its_place():
    told = run_habit("one_waited_for")
    assert told["values"] == {str(rank): [None, [(rank - 1) % 4, 2]] for rank in range(4)}


def test_ranks_of_a_part_are_listed_by_their_numbers_among_all():
    calls = run_habit("halves")["calls"]
    listed = zip(calls["name"], calls["rank"], calls["peer"], strict=True)
    assert {(rank, peer) for name, rank, peer in listed if name == "Send"} == {(0, 1), (2, 3)}


def test_what_comes_by_calls_that_do_not_wait_is_exchanged_and_counted_as_well():
    told = run_habit("exchanged", size=2)
    found = {name: value.tolist() for name, value in told["values"]["1"].items()}
    assert found == {"got": [5, 6], "whole": [5, 6, 5, 6], "copy": [5, 6]}
    assert (told["values"]["0"]["copy"].tolist(), told["received_bytes"]) == ([2, 4], [32, 3 * 32])


def test_a_call_with_an_argument_too_few_is_the_students():
    kind, text, location, _ = vars(coordinator.run(PLACE, 1, ("habits", "called_wrongly")))["raised"]["0"]
    assert (kind, text) == ("TypeError", "Iscatter() missing a required argument: 'recvbuf'")
    assert location.startswith("habits.py:")


SENT = (
    *(1.5, 2j, {1, 2}, slice(3), range(3), "text", None, {"a": (np.arange(3.0), np.float32(2))}, np.float32),
    *(np.dtype("f4"), Decimal(2), date(2026, 11, 28), deque([1]), ValueError("no")),
)


@pytest.fixture
def marked():
    objects.marks.append(b"mark")
    yield
    objects.marks.clear()


@pytest.mark.usefixtures("marked")
def test_objects_are_messages_and_come_back():
    for value in SENT:
        assert repr(objects.open_pickle(bytearray(objects.make_pickle(value)))) == repr(value)
    made = objects.open_pickle(bytearray(objects.make_pickle(np.random.default_rng(3))))
    assert made.random() == np.random.default_rng(3).random()


@pytest.mark.usefixtures("marked")
def test_bytes_that_were_sent_as_numbers_and_what_leads_away_make_no_objects():
    for value in (print, type, getattr, os.getcwd, partial(print), "".join):
        with pytest.raises(pickle.UnpicklingError, match="nothing that ranks send"):
            objects.open_pickle(bytearray(objects.make_pickle(value)))
    with pytest.raises(pickle.UnpicklingError, match="what Send sends, Recv receives"):
        objects.open_pickle(bytearray(pickle.dumps(1)))
