"""Lines over the number of ranks: where a value lies, what is left out, and no drawing where there are no numbers."""

import pytest
from hypothesis import given
from report_strategies import json_values, numbers, texts, unhurried
from rows import each
from sample_reports import make, passed, result_of, result_with

from grader.reports import cards, scalingplots

EFFICIENCY = {"ranks": [1, 2, 4, 8], "measured": [100.0, 90.0, None, None], "Amdahl's law": [100.0, 95.0, 80.0, 60.0]}
SIMULATION = {"ranks": [64, 4096], "ring": [1e-3, 1e-1], "tree": [1e-3, 2e-3]}


def efficiency(fact):
    return scalingplots.efficiency(result_with("max.times", efficiency_percent=fact))


def simulation(fact):
    return scalingplots.simulation(result_with("max.times", simulated_step_s=fact))


def test_lines_begin_at_the_top_and_end_where_nothing_was_measured():
    plot = efficiency(EFFICIENCY)
    measured, law = plot.lines
    assert len(measured.marks) == 2
    assert len(law.marks) == 4
    assert measured.marks[0].y == pytest.approx(plot.grid[-1].y)
    assert [mark.label for mark in plot.grid] == ["0 %", "25 %", "50 %", "75 %", "100 %"]
    assert "measured 100 %, 90 %" in plot.described


def test_simulated_times_have_a_scale_of_decades():
    plot = simulation(SIMULATION)
    assert [mark.label for mark in plot.grid] == ["1 ms", "10 ms", "100 ms"]
    ring, tree = plot.lines
    assert ring.marks[1].y < tree.marks[1].y < tree.marks[0].y == ring.marks[0].y
    assert [mark.label for mark in plot.ranks] == ["64 ranks", "4096"]


def test_what_is_drawn_does_not_stand_among_the_facts_as_well():
    report = make(lambda name: passed(name, facts={"efficiency_percent": EFFICIENCY, "simulated_step_s": SIMULATION}))
    assert cards.card(result_of(report, "max.times"), report).facts == ()
    assert "max.times" in {figure.check for figure in cards.figures(report)}


@each("fact", [None, 3, {}, {"ranks": []}, {"ranks": [1, 2]}, {"ranks": [1], "ring": ["1"]}])
def test_what_is_no_curve_is_not_drawn(fact):
    assert efficiency(fact) is None
    assert simulation(fact) is None


@unhurried
@given(json_values(numbers | texts))
def test_whatever_is_in_the_evidence_breaks_no_report(value):
    for fact in (value, {"ranks": value, "ring": value}, {"ranks": [1, 2], "ring": [value, 1.0]}):
        efficiency(fact)
        simulation(fact)
