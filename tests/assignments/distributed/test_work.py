"""Trainings in which no rank has the samples of another: who is right for which samples, and who receives too much."""

from contextlib import nullcontext, suppress
from types import SimpleNamespace

import numpy as np
import pytest
from rows import each

from grader.assignments.distributed.work import Deal, Needs, expect_results, note_bubbles
from grader.authoring import Finding, Note, StudentFault
from grader.authoring.judges.ranks import Calls
from grader.worker.runs import Run

HELD, OTHERS = np.zeros((6, 1)), np.ones((6, 1))
DEALT = [[False] * 6, [False, False, True, True, False, False], [False] * 4 + [True] * 2]
NEEDS = Needs(share=1e6, step=1e5, steps=2)


def deal(cost_of, arrived=DEALT):
    """Return a training of 6 samples on ranks, whose cost should be the number of exchanged samples."""

    def train(others):
        cost = cost_of(others)
        values = tuple({"costs": [cost], "arrived": np.array(rows)} for rows in arrived)
        return Run("`train`", values, SimpleNamespace(received_bytes=[0] * len(arrived)))

    def compare(values, inputs):
        if values[0]["costs"] != [float(inputs.sum())]:
            raise StudentFault(Finding("`train`: the cost is wrong"))

    return Deal(HELD, OTHERS, train, compare, NEEDS)


@each("arrived, cost", [(DEALT, 4.0), ([[False] * 6, [True] * 6, [True] * 6], 4.0)])
def test_ranks_that_compute_with_what_arrived_are_right(arrived, cost):
    deal(lambda _others: cost, arrived).expect_of_all(Note())


@each(
    "cost_of, arrived, words",
    (lambda _others: 0.0, DEALT, "the same whatever samples"),
    (lambda _others: 2.0, [DEALT[0], DEALT[1], DEALT[0]], "rank 2 receives 0 of its 2 samples"),
    (lambda _others: 2.0, [DEALT[0], DEALT[0], DEALT[2]], "rank 1 receives 0 of its 2 samples"),
    (lambda _others: 3.0, DEALT, "the cost is wrong"),
    (lambda _others: 1.0, [DEALT[0], *[[True] + [False] * 5] * 3], "receive 1 different samples"),
)
def test_a_rank_that_computes_for_others_is_found(cost_of, arrived, words):
    with pytest.raises(StudentFault, match=words):
        deal(cost_of, arrived).expect_of_all(Note())


@each(
    "results, words",
    ((np.ones(2), np.ones(2), [np.ones(1)]), ""),
    ((np.ones(2), np.ones(2), [1.0], {}), "returns 4 results, not theta1, theta2, costs"),
    (None, "returns None, not theta1"),
    ("abc", "returns str, not theta1"),
)
def test_what_a_function_returns_has_names_and_other_things_are_said(results, words):
    value = {"returned": (("theta1", "theta2", "costs"), results)}
    with pytest.raises(StudentFault, match=words) if words else nullcontext():
        expect_results(value, "`train`")
    for odd in ({}, {"returned": 3}, {"returned": [[[]], 1, 2]}):  # as a whole file may answer
        expect_results(odd, "`train`")


@each("cost_of, is_found", [(lambda _others: 9.0, True), (lambda others: 9.0 if others is None else 8.0, False)])
def test_wrong_costs_only_have_to_change_with_the_samples(cost_of, is_found):
    note = Note(passed={"data.costs": False})
    with suppress(StudentFault):
        deal(cost_of).expect_of_all(note, "data.costs")
    assert bool(note.flags) is is_found


@each(
    "received, sent, ends",
    ((9e5, 2e6, 2e6), (0, 0, 0), "nothing"),
    ((0, 0, 3e6), (3e6, 0, 0), "rank 2 receives 3 MB, and needs 2.17 MB at most"),
    ((0, 3e6, 0), (2e6, 1e6, 0), "a flag"),
    ((2e6, 0, 0), (2e6, 1e6, 1e6), "rank 0 receives 2 MB"),
)
def test_rank_0_may_receive_no_samples_and_others_their_share_once_unless_they_pass_the_rest_on(received, sent, ends):
    note, calls = Note(), SimpleNamespace(sent_bytes=lambda rank: sent[rank])
    trace = SimpleNamespace(received_bytes=received, calls=calls)
    with pytest.raises(StudentFault, match=ends) if ends.startswith("rank") else nullcontext():
        NEEDS.expect_no_more(trace, "`train`", "its share", note)
    assert bool(note.flags) is (ends == "a flag")


def pipeline(size, parts, *, first=1, receive="Recv"):
    """Return the calls of a pipeline whose ranks receive `first` micro-batches before they send one, and the sends."""
    rows = []
    for rank in range(size):
        waiting = 0
        for place in range(parts):
            while rank and waiting < min(max(place + 1, first), parts):
                rows.append((rank, receive, "receive"))
                waiting += 1
            if rank < size - 1:
                rows.append((rank, "Send", "send"))
    ranks, names, kinds = zip(*rows, strict=True)
    nothing, at_s = np.zeros(len(rows)), np.arange(1.0, len(rows) + 1)
    done_s = at_s if receive == "Recv" else nothing - 1
    calls = Calls(np.array(ranks), list(names), list(kinds), nothing, nothing, nothing, [], at_s, done_s, nothing)
    return calls, [calls.select(rank=rank, kind="send") for rank in range(size - 1)], parts


def bubbles(*given, **options):
    note = Note()
    note_bubbles(*pipeline(*given, **options), note)
    return note.facts["share_of_bubbles"]


@pytest.mark.parametrize(("size", "parts"), [(2, 1), (2, 4), (4, 5), (4, 20)])
def test_the_calls_of_a_pipeline_have_the_bubble_of_the_formula_and_waiting_makes_it_larger(size, parts):
    formula = round((size - 1) / (parts + size - 1), 4)
    assert bubbles(size, parts) == {"by_the_calls": formula, "formula": formula}
    assert bubbles(size, parts, first=parts, receive="Irecv")["by_the_calls"] == formula
    waiting = bubbles(size, parts, first=parts)["by_the_calls"]
    assert waiting > formula if size > 2 and parts > 1 else waiting == formula
