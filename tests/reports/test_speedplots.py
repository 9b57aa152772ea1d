"""Plots of a speed verdict: coordinates inside the drawing and on the right side of the bound, or no plot at all."""

import pytest
from hypothesis import given
from report_strategies import json_values, numbers, texts, unhurried
from rows import each
from sample_reports import make, passed

from grader.reports import plots, speedplots

TIMES = {"max_cpu": [0.41, 0.42, 0.40], "max_gpu": [0.0101, 0.0098, 0.0300]}


def result_with(check="max.gpu.speedup", **values):
    report = make(lambda name: passed(name, facts=values) if name == check else None)
    return next(result for result in report.results if result.criterion.id == check)


@pytest.mark.parametrize(
    ("ends", "is_clear"), [([41.0, 44.0], True), ([40.0, 44.0], True), ([38.0, 43.0], False), ([12.0, 39.9], True)]
)
def test_the_interval_lies_on_its_side_of_the_bound(ends, is_clear):
    plot = speedplots.interval(result_with(speedup=ends))
    assert plot.is_clear is is_clear
    assert (plot.low.x >= plot.bound.x) == (ends[0] >= 40)
    assert (plot.high.x >= plot.bound.x) == (ends[1] >= 40)
    assert plot.bound.label == "40 needed"
    assert plot.grid


@each("ends", [None, 41.0, "41", [41.0], [0, 41], [-1, 2], ["a", "b"], [float("nan"), 1], [1, 2, 3]])
def test_there_is_no_interval_without_two_positive_ends(ends):
    assert speedplots.interval(result_with(speedup=ends)) is None


def test_a_check_without_a_threshold_has_no_interval():
    assert speedplots.interval(result_with("max.times", speedup=[1.0, 2.0])) is None


def test_every_sample_is_a_dot_and_longer_times_lie_further_right():
    plot = speedplots.strips(result_with(times_s=TIMES))
    assert [row.name for row in plot.rows] == ["max_cpu", "max_gpu"]
    assert [len(row.dots) for row in plot.rows] == [3, 3]
    cpu, gpu = plot.rows
    assert min(x for x, _ in cpu.dots) > max(x for x, _ in gpu.dots)
    assert (cpu.middle.label, gpu.middle.label) == ("410 ms", "10.1 ms")
    assert "max_gpu 3, median 10.1 ms" in plot.described


def test_of_many_samples_some_are_drawn():
    plot = speedplots.strips(result_with(times_s={"a": [0.1 + i / 1e5 for i in range(10_000)]}))
    assert 40 <= len(plot.rows[0].dots) <= 80


@each("fact", [None, [], {}, {"a": []}, {"a": "1"}, {"a": [0, -1, None]}, {"a": 1.0}, [1.0]])
def test_there_are_no_strips_without_samples(fact):
    assert speedplots.strips(result_with(times_s=fact)) is None


@unhurried
@given(json_values(numbers | texts))
def test_whatever_the_facts_are_nothing_leaves_the_drawing(fact):
    result = result_with(times_s=fact, speedup=fact)
    for plot in (speedplots.interval(result), speedplots.strips(result)):
        if isinstance(plot, speedplots.Interval):
            marks = [plot.low, plot.high, plot.bound, *plot.grid]
        else:
            marks = [mark for row in plot.rows for mark in (row.middle,)] if plot else []
        assert all(0 <= mark.x <= plots.WIDTH for mark in marks)


def test_a_call_divides_into_copying_and_the_rest():
    plot = speedplots.split(
        result_with(gpu={"copying_s": 0.003, "call_s": 0.004, "uuid": "x"}, first_call_s={"max_gpu": 0.5, "b": None})
    )
    assert plot.copying == pytest.approx(0.75 * plots.WIDTH)
    assert plot.copying_text == "plain copies: 3 ms (75 %)"
    assert plot.rest_text == "kernel, Python, other copies: 1 ms"
    assert plot.first == "max_gpu 500 ms"


@each("fact", [None, 1, [], {}, {"copying_s": 1}, {"copying_s": 0, "call_s": 1}, {"call_s": "1"}])
def test_there_is_no_division_without_both_times(fact):
    assert speedplots.split(result_with(gpu=fact)) is None


def test_copying_never_takes_more_than_the_call():
    assert speedplots.split(result_with(gpu={"copying_s": 2.0, "call_s": 1.0})).copying == plots.WIDTH
