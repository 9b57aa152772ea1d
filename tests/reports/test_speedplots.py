"""Plots of a speed verdict: coordinates inside the drawing and on the right side of the bound, or no plot at all."""

import pytest
from hypothesis import given
from report_strategies import json_values, numbers, texts, unhurried
from rows import each
from sample_reports import result_with

from grader.reports import plots, speedplots

TIMES = {"max_cpu": [0.41, 0.42, 0.40], "max_gpu": [0.0101, 0.0098, 0.0300]}


SPEEDUP = "max.gpu.speedup"


def interval(ends, check=SPEEDUP):
    return speedplots.interval(result_with(check, speedup=ends))


@pytest.mark.parametrize(
    ("ends", "is_clear"), [([41.0, 44.0], True), ([40.0, 44.0], True), ([38.0, 43.0], False), ([12.0, 39.9], True)]
)
def test_the_interval_lies_on_its_side_of_the_bound(ends, is_clear):
    plot = interval(ends)
    assert plot.is_clear is is_clear
    assert (plot.low.x >= plot.bound.x) == (ends[0] >= 40)
    assert (plot.high.x >= plot.bound.x) == (ends[1] >= 40)
    assert plot.bound.label == "40 needed"
    assert plot.grid


@each("ends", [None, 41.0, "41", [41.0], [0, 41], [-1, 2], ["a", "b"], [float("nan"), 1], [1, 2, 3]])
def test_there_is_no_interval_without_two_positive_ends_and_a_threshold(ends):
    assert interval(ends) is None
    assert interval([1.0, 2.0], "max.times") is None


def test_every_sample_is_a_dot_of_many_some_and_longer_times_lie_further_right():
    plot = speedplots.strips(result_with(SPEEDUP, times_s=TIMES))
    assert [row.name for row in plot.rows] == ["max_cpu", "max_gpu"]
    assert [len(row.dots) for row in plot.rows] == [3, 3]
    cpu, gpu = plot.rows
    assert min(x for x, _ in cpu.dots) > max(x for x, _ in gpu.dots)
    assert (cpu.middle.label, gpu.middle.label) == ("410 ms", "10.1 ms")
    assert "max_gpu 3, median 10.1 ms" in plot.described
    plot = speedplots.strips(result_with(SPEEDUP, times_s={"a": [0.1 + i / 1e5 for i in range(10_000)]}))
    assert 40 <= len(plot.rows[0].dots) <= 80


@each("fact", [None, [], {}, {"a": []}, {"a": "1"}, {"a": [0, -1, None]}, {"a": 1.0}, [1.0]])
def test_there_are_no_strips_without_samples(fact):
    assert speedplots.strips(result_with(SPEEDUP, times_s=fact)) is None


@unhurried
@given(json_values(numbers | texts))
def test_whatever_the_facts_are_nothing_leaves_the_drawing(fact):
    bars, dots = interval(fact), speedplots.strips(result_with(SPEEDUP, times_s=fact))
    marks = [bars.low, bars.high, bars.bound, *bars.grid] if bars else []
    marks += [row.middle for row in dots.rows] if dots else []
    assert all(0 <= mark.x <= plots.WIDTH for mark in marks)


def test_a_call_divides_into_copying_and_the_rest_and_copying_never_takes_more_than_the_call():
    gpu = {"copying_s": 0.003, "call_s": 0.004, "uuid": "x"}
    plot = speedplots.split(result_with(SPEEDUP, gpu=gpu, first_call_s={"max_gpu": 0.5, "b": None}))
    assert plot.copying == pytest.approx(0.75 * plots.WIDTH)
    assert plot.copying_text == "plain copies: 3 ms (75 %)"
    assert plot.rest_text == "kernel, Python, other copies: 1 ms"
    assert plot.first == "max_gpu 500 ms"
    assert speedplots.split(result_with(SPEEDUP, gpu={"copying_s": 2.0, "call_s": 1.0})).copying == plots.WIDTH


@each("fact", [None, 1, [], {}, {"copying_s": 1}, {"copying_s": 0, "call_s": 1}, {"call_s": "1"}])
def test_there_is_no_division_without_both_times(fact):
    assert speedplots.split(result_with(SPEEDUP, gpu=fact)) is None
