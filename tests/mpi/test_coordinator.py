"""Real ranks of a real MPI library: what they compute, how halts are explained, and that nothing is left of them."""

import os
import subprocess
from pathlib import Path

import left_behind
import msgspec
import numpy as np
import psutil
import pytest
from waiting import wait_until

pytest.importorskip("mpi4py")

from grader.mpi import coordinator
from grader.mpi.calls import COLLECTIVE, Call
from grader.mpi.pool import RankPool
from grader.worker.launcher import Settings

HERE = Path(__file__).parent
PLACE = Settings(HERE, HERE, device="")
LOG = "/memfd:grader-log "


def run(function, *args, size=4, **options):
    return vars(coordinator.run(PLACE, size, ("programs", function), args, pool_size=4, **options))


def children():
    """Return the processes that this one has started, the ranks among them."""
    return {*psutil.Process().children()}


def test_all_kinds_of_calls_give_what_mpi_gives():
    for size in (4, 3, 1):
        told = run("all_kinds", 10, size=size)
        assert (told["problem"], told["raised"]) == ("", {})
        ranks = range(size)
        values = [told["values"][str(rank)] for rank in ranks]
        assert [one["left"] for one in values] == [(rank - 1) % size + 1 for rank in ranks]
        assert [one["later"] for one in values] == [(rank - 1) % size + 1 for rank in ranks]
        assert {one["total"] for one in values} == {size * (size + 1) / 2}
        assert (values[0]["gathered"], values[0]["names"]) == (size, size - 1)
        assert [one["even"] for one in values] == [sum(ranks[rank % 2 :: 2]) for rank in ranks]
        assert sum(one["part"] for one in values) == 45


def test_long_messages_arrive_although_nobody_asks_for_them_at_first():
    told = run("long_messages", 200_000)
    assert [told["values"][str(rank)]["got"] for rank in range(4)] == [3, 0, 1, 2]
    sends = [place for place, kind in enumerate(told["calls"]["kind"]) if kind == "send"]
    assert {told["calls"]["size_bytes"][place] for place in sends} == {1_600_000}
    assert all(told["calls"]["line"][place].startswith("programs.py:") for place in sends)


def test_many_messages_arrive_although_those_who_have_them_return():
    told = run("many_messages", 3000)
    assert [told["values"][rank]["got"] for rank in "0123"] == [3000 * 2999 / 2] * 4


def test_requests_that_were_never_begun_are_over():
    told = run("null_requests", size=2)
    assert told["raised"] == {}
    assert [told["values"][rank] for rank in "01"] == [{"got": 0.0, "nothing": True}, {"got": 1.0, "nothing": True}]


def test_the_world_that_a_file_bound_when_it_was_imported_is_that_of_each_run():
    for size in (3, 2):
        told = run("uses_world", 2, size=size)
        assert told["values"]["1"] == {"same": True, "total": 2 * size}
        assert told["calls"]["name"] == ["allreduce"] * size


def test_buffers_are_read_as_mpi4py_takes_them():
    told = run("specs", size=1)
    assert told["raised"] == {}
    doubles = {"array": 80, "type": 80, "letter": 80, "count": 32, "pair": 16}
    in_parts = {name: [80, "f8", [24, 56]] for name in ("counts", "displaced", "four")}
    others = {"single": [16, "f4", []], "integers": [32, "i8", []], "bytes": [5, "u1", []]}
    others["for each"] = [64, "f8", [16] * 4]
    assert told["values"]["0"] == {name: [size, "f8", []] for name, size in doubles.items()} | in_parts | others


def test_one_count_is_that_of_each_rank_and_what_a_rank_gives_in_place_its_own_part():
    told = run("counts_for_each", size=3)
    assert (told["problem"], told["raised"]) == ("", {})
    assert told["values"]["0"]["spaced"].tolist() == [1, 1, 0, 2, 2, 0, 3, 3, 0]
    found = told["values"]["1"]
    assert (found["dealt"].tolist(), found["again"].tolist(), found["word"]) == ([2, 2], [1, 1], "word 1")
    assert found["words"] == ["0 to 1", "1 to 1", "2 to 1"]
    told = run("gathers_in_place", size=3)
    assert told["values"]["0"]["whole"].tolist() == [0, 1, 1, 2, 2, 2]
    assert dict(zip(told["calls"]["rank"], told["calls"]["size_bytes"], strict=True)) == {0: 8, 1: 16, 2: 24}


def test_what_mpi4py_refuses_is_refused_and_what_cannot_be_followed_is_said():
    found = run("not_a_buffer", size=2)["values"]["0"]["found"]
    assert found[0].startswith("TypeError: ")
    assert found[1:] == ["ValueError: expecting 2 items, got 9"] * 2
    told = run("not_traced", size=2)
    assert (told["unfollowed"], told["values"]["1"]) == ({"Win.Create": 2, "Win.Fence": 4, "Win.Put": 1}, {"put": 3.0})


def test_what_the_library_makes_is_followed():
    told = run("makes", size=4)
    assert (told["problem"], told["raised"], told["unfollowed"]) == ("", {}, {"Intracomm.Create_group": 2})
    found = [told["values"][str(rank)] for rank in range(4)]
    assert [(one["turned"], one["even"]) for one in found] == [(3, 2), (2, 1), (1, 2), (0, 3)]
    assert [one["near"].tolist() for one in found] == [[3, 1], [0, 2], [1, 3], [2, 0]]
    assert [one["got"].tolist() for one in found] == [[4, 8]] * 4
    assert [one["gone"] for one in found] == [[True, True]] * 4


def test_an_array_that_a_probe_took_is_not_opened_as_an_object():
    told = run("opens_an_array", size=2)
    assert (told["problem"], "rank 0: Send, 4 bytes" in told["text"]) == ("pickled", True)


def test_a_message_that_a_probe_took_is_received_once():
    told = run("takes", size=2)
    assert (told["problem"], told["raised"], told["unfollowed"]) == ("", {}, {})
    assert told["values"]["1"] == {"tags": [4, 5], "word": "four", "array": [5.0, 5.0], "nothing": True}


def test_what_one_run_was_refused_opens_no_later_one(tmp_path):
    text = "def {}(here):\n    try:\n        {}\n    except ImportError:\n        return 1\n\n"
    (tmp_path / "two.py").write_text(text.format("asks", "import ctypes") + text.format("plain", "return 1"))
    program = Settings(tmp_path, HERE, device="", slices="plain")
    told = [vars(coordinator.run(program, 1, ("two", name))) for name in ("asks", "plain")]
    assert [one["values"] for one in told] == [{"0": 1}] * 2
    assert [bool(one["refused"]) for one in told] == [True, False]


def test_what_one_rank_receives_is_exchanged_however_it_comes():
    told = run("deal", True, size=2)
    calls = zip(told["calls"]["name"], told["calls"]["size_bytes"], strict=True)
    assert [size for name, size in calls if name == "Allgatherv"] == [16, 16]
    pairs = {name: [5, 6] for name in ("found", "dealt", "floats")}
    others = {"whole": [5, 6, 5, 6], "number": [8], "lists": [[[5, 6], [2, 4]]] * 2, "arrived": [True, True]}
    assert {key: value.tolist() for key, value in told["values"]["1"].items()} == pairs | others
    assert told["values"]["0"]["found"].tolist() == [2, 4]
    assert run("deal", False, size=2)["values"]["1"]["found"].tolist() == [2, 4], "the next run exchanges nothing"


RECEIVED = {"Gatherv": (176, 0), "to_itself": (0, 0), "empty": (16, 0), "in_pieces": (2 * 56, 0)}
RECEIVED |= dict.fromkeys(("Bcast", "Scatterv"), (0, 96)) | dict.fromkeys(("Reduce", "Scatterv_back"), (96, 0))
RECEIVED |= dict.fromkeys(("Allreduce", "Sendrecv", "Neighbor_alltoall"), (96, 96))
RECEIVED |= dict.fromkeys(("Allgather", "Alltoallv", "Iallgather", "Reduce_by_own"), (176, 176))
"""Call -> what ranks 0 and 1 of 3 receive, if each rank has an array of 80 bytes."""


@pytest.mark.parametrize("name", RECEIVED)
def test_what_a_rank_receives_is_counted_by_whatever_call_it_comes(name):
    told = run("receive", name, size=3)
    assert (told["problem"], tuple(told["received_bytes"][:2])) == ("", RECEIVED[name])


def test_a_request_of_an_earlier_run_is_no_call_of_a_later_one():
    run("keeps_a_request", 0, size=2)
    calls = run("keeps_a_request", 1, size=2)["calls"]
    for rank in (0, 1):
        first, second = [place for place, at in enumerate(calls["rank"]) if at == rank]
        assert calls["done_s"][first] <= calls["at_s"][second]


def test_what_ranks_send_to_others_is_not_left_in_memory():
    assert run("looks_for_what_others_sent", size=2)["values"]["0"] == {"left": 0}


@pytest.mark.parametrize("name", ["bcast", "scatter", "gather", "allgather", "alltoall", "reduce", "allreduce", "scan"])
def test_objects_are_counted_with_what_pickles_them(name):
    told = run("receive", name, size=3)
    times = {"bcast": 1, "scatter": 1, "scan": 2}.get(name, 2)
    assert times * 80 < told["received_bytes"][2 if name not in {"gather", "reduce"} else 0] < times * 320


def test_a_machine_that_cannot_start_all_ranks_is_said_and_keeps_none(monkeypatch):
    coordinator.end_pools()
    started, start = [], subprocess.Popen

    def start_one(*args, **options):
        if started:
            raise BlockingIOError(11, "no more processes")
        started.append(start(*args, **options))
        return started[0]

    with monkeypatch.context() as patched:
        patched.setattr(subprocess, "Popen", start_one)
        told = run("long_messages", 10)
    assert (told["problem"], told["text"]) == ("not started", "BlockingIOError: [Errno 11] no more processes")
    assert started[0].poll() is not None
    assert run("long_messages", 10)["problem"] == ""


def test_a_coordinator_that_raises_leaves_no_team_and_one_of_which_a_rank_died_between_two_runs_is_replaced():
    coordinator.end_pools()
    before = children()
    of_no_communicator = msgspec.msgpack.encode(Call(50, "Barrier", COLLECTIVE, comm="of nobody")).decode("latin-1")
    with pytest.raises(ValueError, match="of nobody"):
        run("announces", f"\0\0\0{chr(len(of_no_communicator))}{of_no_communicator}", LOG, size=2)
    assert (children(), run("long_messages", 10)["problem"]) == (before, "")
    ranks = children() - before
    one = ranks.pop()
    one.kill()
    wait_until(lambda: os.waitid(os.P_PID, one.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT))  # with all its threads
    assert run("long_messages", 10)["problem"] == ""
    assert children().isdisjoint({one, *ranks})


def test_a_signal_without_a_name_is_told_by_its_number():
    pool = RankPool(1, Settings(HERE, HERE))
    pool.processes.append(subprocess.Popen(["sleep", "10"]))
    pool.processes[0].send_signal(40)
    assert pool.how_it_ended(0) == "it was ended by signal 40"
    pool.close()


@pytest.mark.parametrize("where", ["socket:", LOG])
@pytest.mark.parametrize("data", ["\xff\xff\xff\xff and more", "\0\0\0\1\xff"])
def test_a_rank_that_announces_more_than_fits_or_nonsense_is_taken_for_gone(data, where):
    told = run("announces", data, where, size=2)
    assert told["problem"] == "died"
    assert told["text"].startswith("Rank 1 died: ")


def test_a_value_that_is_too_long_for_a_message_is_its_ranks_failure_and_no_end():
    told = run("returns_too_much", size=2)
    assert (told["problem"], told["values"]["0"], told["raised"]["1"][0]) == ("raised", [], "WireError")
    assert run("long_messages", 10, size=2)["problem"] == ""


def test_ranks_run_where_memory_cannot_be_sealed(monkeypatch):
    coordinator.end_pools()
    monkeypatch.delattr(os, "memfd_create")
    told = [run("uses_world", np.arange(5.0), size=2) for _ in range(2)]
    assert [one["values"]["1"]["total"].tolist() for one in told] == [[0, 2, 4, 6, 8]] * 2
    coordinator.end_pools()


WRONG = {
    "other_collective": ("operations", "took a branch of the `if` in line 81"),
    "other_collective_beside_one_that_sleeps": ("operations", "rank 2"),
    "cycle_of_sends": ("halt", "rank 3 waits in Send to rank 0 (programs.py:"),
    "begins_alone": ("left", "Ranks 0, 2 and 3 do not join rank 1 in Ibarrier (programs.py:"),
    "never_joins": ("left", "rank 1 has returned without any call"),
    "dies": ("died", "Rank 1 died: it ended with exit code 3; ranks 0, 2 and 3 wait in Barrier"),
    "killed": ("died", "Rank 1 died: it was ended by SIGKILL"),
    "raises": ("raised", "ranks 0, 2 and 3 wait in Barrier"),
    "unreceived": ("unreceived", "Nobody receives what rank 1 sends to rank 0 by isend, tag 3"),
    "tests_for_ever": ("halt", "Irecv from rank 1"),
}
FAST = ("other_collective", *(name for name in WRONG if name.startswith("other_")), "cycle_of_sends", "begins_alone")


@pytest.mark.parametrize("name", [pytest.param(name, marks=() if name in FAST else pytest.mark.wide) for name in WRONG])
def test_what_is_wrong_is_said(name):
    problem, words = WRONG[name]
    told = run(name)
    assert told["problem"] == problem
    assert words in told["text"]
    assert told["seconds"] < 14  # far below the limit of a call, even where cores are busy


@pytest.mark.parametrize(
    "name", ["roots", "counts", "types", "parts", "parts of v", "room", "types of a message", "reductions", "pickled"]
)
def test_calls_that_do_not_fit_are_named_whatever_the_library_makes_of_them(name):
    told = run("does_not_fit", name, size=3)
    assert told["problem"] == name.split()[0]
    assert "rank 1: " in told["text"]


@pytest.mark.parametrize("function", ["computes_for_ever", "sleeps", "computes_before_it_receives"])
def test_who_calls_nothing_although_it_could_is_absent(function):
    told = run(function, size=3, halt_after_s=0.2)
    assert (told["problem"], told["text"].partition(":")[0]) == ("absent", "Rank 1 computes without an end")
    assert "rank 1 computes without calling anything (programs.py:" in told["text"]


def test_who_had_no_processor_is_not_blamed():
    told = run("stops", 1, size=2, limit_s=0.5, halt_after_s=0.2)
    assert told["problem"] == "slow"
    assert "had hardly any processor" in told["text"]


@pytest.mark.parametrize(("function", "size"), [("computes_alone", 1), ("computes_beside_one_that_sleeps", 2)])
def test_a_run_is_over_when_a_rank_has_had_its_time(function, size):
    for limit_s in (1.0, 2.0, 4.0):
        told = run(function, size=size, limit_s=limit_s)
        if told["problem"] != "slow":  # as it is where a crowded machine gives ranks no processor
            break
    assert told["problem"] == "absent"
    assert told["text"].startswith(("Rank 0 computes without an end", "Ranks 0 and 1 compute without an end"))
    assert told["seconds"] > limit_s


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("import numpy, numba", ""),
        pytest.param("def f():\n    from numba import njit", "", marks=pytest.mark.wide),
        pytest.param("import numpy", "absent", marks=pytest.mark.wide),
        ("# no numba", "absent"),
    ],
)
def test_a_rank_has_the_time_to_compile(tmp_path, text, problem):
    coordinator.end_pools()
    (tmp_path / "a.py").write_text(text)
    told = vars(coordinator.run(Settings(tmp_path, HERE, device=""), 2, ("programs", "pauses"), (4,)))
    coordinator.end_pools()
    assert told["problem"] == problem


@pytest.mark.parametrize("other", ["returns", "waits", "stops"])
def test_what_a_rank_raised_is_why_the_others_did_not_come_to_an_end(other):
    told = run("raises_while", other, size=2, limit_s=0.5)
    assert told["problem"] == "raised"
    assert "rank 1 has raised without any call" in told["text"]


@pytest.mark.slow
def test_nothing_is_left_after_many_runs_half_of_them_hanging():
    before, processes = left_behind.memory_of_nobody(), children()
    for number in range(100):
        told = run("cycle_of_sends" if number % 2 else "long_messages", *(() if number % 2 else (1000,)))
        assert told["problem"] == ("halt" if number % 2 else "")
    coordinator.end_pools()
    assert children() <= processes
    assert not left_behind.memory_that_stays(before)
