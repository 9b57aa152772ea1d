"""Plots: coordinates inside the drawing and on the right side of a bound, or no plot at all."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_strategies import facts, json_values, numbers, texts, unhurried
from rows import each
from sample_reports import CURVE, TIMES, make, passed, result_of, result_with

from grader.reports import amdahlplots, cards, plots, rankplots, scalingplots, speedplots


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


SAMPLES_S = {"max_cpu": [0.41, 0.42, 0.40], "max_gpu": [0.0101, 0.0098, 0.0300]}


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
    plot = speedplots.strips(result_with(SPEEDUP, times_s=SAMPLES_S))
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
def test_whatever_the_times_are_nothing_leaves_the_drawing(fact):
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


PARTS = {"Linear": 81.93, "ReLU": 14.15, "Sigmoid": 1.63}
BOUNDS = {"768 cores": 41.36, "2 cores": 1.96}


def parts_drawn(**facts):
    return amdahlplots.amdahl(result_with("max.times", **facts))


def test_parts_fill_the_bar_and_the_last_is_not_parallel():
    plot = parts_drawn(parallel_parts_percent=PARTS)
    labels = [part.legend.label for part in plot.parts]
    assert labels == ["Linear 81.9 %", "ReLU 14.2 %", "Sigmoid 1.63 %", "not parallel 2.29 %"]
    assert [part.is_parallel for part in plot.parts] == [True, True, True, False]
    assert plot.parts[0].left == 0
    for one, other in zip(plot.parts, plot.parts[1:], strict=False):
        assert one.left + one.width == pytest.approx(other.left)
    assert plot.parts[-1].left + plot.parts[-1].width == pytest.approx(plots.WIDTH)
    assert plot.bars == ()


def test_bounds_and_what_was_measured_are_bars_from_zero():
    plot = parts_drawn(parallel_parts_percent=PARTS, speedup_bounds=BOUNDS, speedup_measured=32.09)
    most, least, measured = plot.bars
    assert (most.value, least.value, measured.value) == ("at most 41.4", "at most 1.96", "32.1")
    assert least.width / most.width == pytest.approx(1.96 / 41.36)
    assert (most.is_bound, measured.is_bound) == (True, False)
    assert "768 cores at most 41.4, 2 cores at most 1.96, measured on the GPU 32.1" in plot.compared


@each("fact", [None, 1.0, [1.0], {}, {"a": 0}, {"a": -1}, {"a": "1"}, {"a": float("nan")}, {"a": 150}])
def test_there_is_no_plot_without_shares_of_a_whole(fact):
    assert parts_drawn(parallel_parts_percent=fact) is None


@unhurried
@given(json_values(numbers | texts), json_values(numbers | texts), numbers)
def test_whatever_the_parts_are_nothing_leaves_the_drawing(parts, bounds, measured):
    plot = parts_drawn(parallel_parts_percent=parts, speedup_bounds=bounds, speedup_measured=measured)
    if plot is not None:
        assert all(-0.001 <= part.left <= part.left + part.width <= plots.WIDTH + 0.001 for part in plot.parts)
        assert all(0 <= part.legend.y <= plot.height for part in plot.parts)
        assert all(0 <= bar.width <= plots.WIDTH - plot.left for bar in plot.bars)


def test_a_name_is_drawn_without_what_a_terminal_or_page_obeys():
    plot = parts_drawn(parallel_parts_percent={"Li\x1b[31mnear\u202e" + "r" * 99: 80.0})
    (label, _rest) = (part.legend.label for part in plot.parts)
    assert label.startswith("Li")
    assert len(label) < 40
    assert not {"\x1b", "\u202e"} & {*label, *plot.described}


def test_what_is_drawn_is_not_listed_again():
    facts = {"parallel_parts_percent": PARTS, "speedup_bounds": BOUNDS, "speedup_measured": 32.09}
    result = result_with("max.times", **facts, parallel_percent=97.71)
    assert {fact.name for fact in cards.card(result, make(lambda _: None)).facts} == {"parallel (%)"}


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


def calls_drawn(fact):
    return rankplots.space_time(result_with("max.times", **{rankplots.CALLS_FACT: fact}))


def test_a_message_leads_from_rank_to_rank_and_a_call_that_did_not_end_lasts_to_the_edge():
    plot = calls_drawn(CALLS)
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
    assert calls_drawn(fact) is None


@unhurried
@given(json_values(numbers | texts))
def test_whatever_is_said_of_calls_breaks_no_report(value):
    calls_drawn(value)
    calls_drawn({"ranks": 3, "calls": value, "messages": value})
    calls_drawn({"ranks": 3, "calls": [[0, value, value, value, value]], "messages": [[value] * 4]})
