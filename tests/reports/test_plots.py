"""Plots: coordinates inside the drawing, or no plot at all."""

import itertools
import math

from hypothesis import given
from hypothesis import strategies as st
from report_strategies import facts, json_values, numbers, texts, unhurried
from rows import each
from sample_reports import CURVE, TIMES, result_with

from grader.reports import plots


def curve_of(accuracies, **more):
    return plots.curve(result_with("train.accuracy", accuracy_per_epoch_percent=accuracies, **more))


def bars_of(times):
    return plots.bars(result_with("train.accuracy", best_times_s=times))


def test_the_curve_rises_with_the_accuracy_and_has_the_threshold_and_lines():
    curve = curve_of(CURVE, test_accuracy_percent=96)
    heights = [mark.y for mark in curve.marks]
    assert heights == sorted(heights, reverse=True)
    assert [mark.label for mark in curve.marks] == ["91.4", "94.2", "95.3", "96.0", "96.6"]
    assert curve.threshold.label == "95 % needed"
    assert heights[1] > curve.threshold.y > heights[2]
    labels = [line.label for line in curve_of([9.8, 9.8, 9.8]).grid]
    assert labels == ["0 %", "25 %", "50 %", "75 %", "100 %"]


@unhurried
@given(st.lists(st.floats(0, 100) | st.integers(0, 100), min_size=2, max_size=9))
def test_an_axis_of_percent_stays_within_0_to_100_and_around_its_values(values):
    curve = curve_of(values)
    lines = {float(line.label.removesuffix(" %")): line.y for line in curve.grid}
    low, high = min(lines), max(lines)
    assert len(lines) >= 3
    assert 0 <= low <= min(95, *values) <= max(95, *values) <= high <= 100
    for mark, value in zip(curve.marks, values, strict=True):
        share = (value - low) / (high - low)
        assert math.isclose(mark.y, lines[low] + share * (lines[high] - lines[low]), abs_tol=1e-6)
    steps = {round(after - before, 6) for before, after in itertools.pairwise(sorted(lines))}
    assert len(steps) == 1


def test_longer_times_have_longer_bars_and_those_of_one_size_a_linear_scale_from_zero():
    bars = bars_of(TIMES)
    ends = {mark.label: mark.x for mark in bars.marks}
    assert ends["max_cpu"] > ends["max_gpu"] > ends["max_numba"] > bars.left
    assert bars.values == ("612 ms", "1.21 ms", "6.34 ms")
    assert bars.logarithmic
    bars = bars_of({"a": 1.0, "b": 2.0})
    assert not bars.logarithmic
    first, second = (mark.x - bars.left for mark in bars.marks)
    assert math.isclose(second, 2 * first)


@given(st.lists(st.floats(1e-7, 1e5), min_size=1, max_size=6))
def test_every_time_axis_has_lines(times):
    bars = bars_of({str(place): time for place, time in enumerate(times)})
    places = [line.x for line in bars.grid]
    assert len({line.label for line in bars.grid}) == len(places) >= 2
    assert places == sorted(places)
    assert places[0] == bars.left
    assert places[-1] <= plots.WIDTH


@each("fact", [None, 96.5, "96.5", [], [96.5], {"a": 1}, [float("nan"), 96], [True, False]])
def test_there_is_no_curve_without_two_numbers(fact):
    assert curve_of(fact) is None


@each("fact", [None, 1.0, [1.0], {}, {"a": 0}, {"a": -1}, {"a": "1"}, {"a": float("inf")}, {"a": 5e-324}])
def test_there_are_no_bars_without_times(fact):
    assert bars_of(fact) is None


@unhurried
@given(facts(texts, numbers), json_values(numbers))
def test_marks_are_inside_the_drawing_whatever_the_facts_are(values, fact):
    result = result_with("train.accuracy", **{**values, "accuracy_per_epoch_percent": fact})
    for plot in (plots.curve(result), plots.bars(result)):
        for mark in (*plot.marks, *plot.grid) if plot else ():
            assert (0 <= mark.x <= plots.WIDTH, 0 <= mark.y <= plot.height) == (True, True)


def test_a_plot_is_bounded_however_long_the_fact_is():
    assert len(curve_of(list(range(10_000))).marks) <= 200
    assert len(bars_of({str(i): 1.0 for i in range(999)}).marks) <= 12


@each("seconds, text", [(12.34, "12.3 s"), (0.0456, "45.6 ms"), (7.8e-6, "7.8 µs"), (0, "0 µs"), (100.0, "100 s")])
def test_times_are_said_as_people_say_them(seconds, text):
    assert plots.seconds_text(seconds) == text
