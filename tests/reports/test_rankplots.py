"""Calls of ranks over time: bars and lines inside the drawing, or no drawing at all."""

import pytest
from hypothesis import given
from report_strategies import json_values, numbers, texts, unhurried
from rows import each
from sample_reports import result_with

from grader.reports import rankplots

CALLS = {
    "ranks": 2,
    "calls": [
        [0, 0.0, 2.0, "Send", "a.py:3"],
        [1, 1.0, 2.0, "Recv", "a.py:5"],
        [0, 3.0, -1.0, "Barrier", "a.py:7"],
        [1, 2.5, -1.0, "Isend", "a.py:6"],
    ],
    "messages": [[0, 0.0, 1, 2.0]],
}


def drawn(fact):
    return rankplots.space_time(result_with("max.times", **{rankplots.CALLS_FACT: fact}))


def test_a_message_leads_from_rank_to_rank_and_a_call_that_did_not_end_lasts_to_the_edge():
    plot = drawn(CALLS)
    ((x1, y1, x2, y2),) = plot.messages
    assert x1 < x2
    assert [mark.y for mark in plot.lanes] == [y1, y2]
    assert [span.is_stuck for span in plot.spans] == [False, False, True, False]
    stuck = plot.spans[2]
    assert stuck.x + stuck.width == pytest.approx(plot.right)
    assert "rank 0 in Barrier" in plot.described
    assert "Isend" not in plot.described


@each("fact", [None, 3, {}, {"ranks": 2}, {"ranks": 2, "calls": []}, {"ranks": "2", "calls": [[0]]}])
def test_what_is_no_list_of_calls_is_not_drawn(fact):
    assert drawn(fact) is None


@unhurried
@given(json_values(numbers | texts))
def test_whatever_is_in_the_evidence_breaks_no_report(value):
    drawn(value)
    drawn({"ranks": 3, "calls": value, "messages": value})
    drawn({"ranks": 3, "calls": [[0, value, value, value, value]], "messages": [[value] * 4]})
