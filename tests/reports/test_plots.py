"""Plots: shapes inside the drawing and on the right side of a bound, or no plot at all."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_strategies import facts, json_values, numbers, texts, unhurried
from rows import each
from sample_reports import CURVE, TIMES, make, passed, result_of, result_with

from grader.reports import cards, plots
from grader.reports.figure import WIDTH


def shapes(plot, tag, kind=""):
    """Return the shapes of this element and class, without legends: the numbers of each."""
    return [one.numbers for one in plot.shapes if (one.tag, one.kind) == (tag, kind)]


def said(plot, kind=""):
    return [one.words for one in plot.shapes if (one.tag, one.kind) == ("text", kind)]


def points(path):
    return [tuple(map(float, point.split(","))) for point in path["points"].split()]


def expect_inside(plot, slack=0.001):
    """Every place lies in the drawing, but for words, whose beginning does."""
    for one in plot.shapes if plot else ():
        at = dict(one.numbers)
        across = [at[name] for name in ("x", "x1", "x2", "cx") if name in at] + [at.get("x", 0) + at.get("width", 0)]
        up = [at[name] for name in ("y", "y1", "y2", "cy") if name in at]
        across += [x for x, _y in points(at)] if "points" in at else []
        up += [y for _x, y in points(at)] if "points" in at else []
        assert all(-slack <= x <= WIDTH + slack for x in across), one
        assert all(-slack <= y <= plot.height + slack for y in up), one


def curve_of(accuracies, **more):
    return plots.curve(result_with("train.accuracy", accuracy_per_epoch_percent=accuracies, **more))


def bars_of(times):
    return plots.bars(result_with("train.accuracy", best_times_s=times))


def test_the_curve_rises_with_the_accuracy_and_has_the_threshold_and_lines():
    curve = curve_of(CURVE, test_accuracy_percent=96)
    heights = [dot["cy"] for dot in shapes(curve, "circle", "dot")]
    assert heights == sorted(heights, reverse=True)
    assert said(curve, "value") == ["91.4", "94.2", "95.3", "96.0", "96.6"]
    assert said(curve, "needed") == ["95 % needed"]
    assert heights[1] > shapes(curve, "line", "needed")[0]["y1"] > heights[2]
    assert said(curve_of([9.8, 9.8, 9.8]))[:5] == ["0 %", "25 %", "50 %", "75 %", "100 %"]


@unhurried
@given(st.lists(st.floats(0, 100) | st.integers(0, 100), min_size=2, max_size=9))
def test_an_axis_of_percent_stays_within_0_to_100_and_around_its_values(values):
    curve = curve_of(values)
    names = [float(word.removesuffix(" %")) for word in said(curve) if word.endswith("%")]
    lines = dict(zip(names, (line["y1"] for line in shapes(curve, "line", "grid")), strict=True))
    low, high = min(lines), max(lines)
    assert len(lines) >= 3
    assert 0 <= low <= min(95, *values) <= max(95, *values) <= high <= 100
    for dot, value in zip(shapes(curve, "circle", "dot"), values, strict=True):
        share = (value - low) / (high - low)
        assert math.isclose(dot["cy"], lines[low] + share * (lines[high] - lines[low]), abs_tol=1e-6)
    assert len({round(after - before, 6) for before, after in itertools.pairwise(sorted(lines))}) == 1


def test_longer_times_have_longer_bars_and_those_of_one_size_a_linear_scale_from_zero():
    bars = bars_of(TIMES)
    cpu, gpu, numba = (bar["width"] for bar in shapes(bars, "rect", "time"))
    assert cpu > numba > gpu > 0 or cpu > gpu > numba > 0
    assert said(bars, "value") == ["612 ms", "1.21 ms", "6.34 ms"]
    assert "logarithmic" in bars.title
    bars = bars_of({"a": 1.0, "b": 2.0})
    assert "logarithmic" not in bars.title
    first, second = (bar["width"] for bar in shapes(bars, "rect", "time"))
    assert math.isclose(second, 2 * first)


@given(st.lists(st.floats(1e-7, 1e5), min_size=1, max_size=6))
def test_every_time_axis_has_lines(times):
    bars = bars_of({str(place): time for place, time in enumerate(times)})
    places = [line["x1"] for line in shapes(bars, "line", "grid")]
    assert len(set(said(bars)[: len(places)])) == len(places) >= 2
    assert (places, places[0]) == (sorted(places), plots.BARS_LEFT)
    assert places[-1] <= WIDTH


@unhurried
@given(facts(texts, numbers), json_values(numbers))
def test_marks_are_inside_the_drawing_whatever_the_facts_are(values, fact):
    result = result_with("train.accuracy", **{**values, "accuracy_per_epoch_percent": fact})
    expect_inside(plots.curve(result))
    expect_inside(plots.bars(result))


def test_a_plot_is_bounded_however_long_the_fact_is_and_obeys_no_name():
    assert len(shapes(curve_of(list(range(10_000))), "circle", "dot")) <= 200
    assert len(shapes(bars_of({str(i): 1.0 for i in range(999)}), "rect", "time")) <= 12
    plot = parts_drawn(parallel_parts_percent={"Li\x1b[31mnear\u202e" + "r" * 99: 80.0})
    (label, _rest) = said(plot)
    assert label.startswith("Li")
    assert len(label) < 40
    assert not {"\x1b", "\u202e"} & {*label, *plot.described}


SAMPLES_S = {"max_cpu": [0.41, 0.42, 0.40], "max_gpu": [0.0101, 0.0098, 0.0300]}
SPEEDUP = "max.gpu.speedup"


def interval(ends, check=SPEEDUP):
    return plots.interval(result_with(check, speedup=ends))


@each("ends, is_clear", ([41.0, 44.0], True), ([40.0, 44.0], True), ([38.0, 43.0], False), ([12.0, 39.9], True))
def test_the_interval_lies_on_its_side_of_the_bound(ends, is_clear):
    plot = interval(ends)
    (bar,) = shapes(plot, "rect", "interval clear" if is_clear else "interval")
    (bound,) = shapes(plot, "line", "needed")
    assert (bar["x"] >= bound["x1"], bar["x"] + bar["width"] >= bound["x1"]) == (ends[0] >= 40, ends[1] >= 40)
    assert said(plot, "needed") == ["40 needed"]
    assert shapes(plot, "line", "grid")


def test_every_sample_is_a_dot_of_many_some_and_longer_times_lie_further_right():
    plot = strips_of(SAMPLES_S)
    assert said(plot)[-2:] == ["max_cpu", "max_gpu"]
    dots = [dot["cx"] for dot in shapes(plot, "circle", "sample")]
    assert len(dots) == 6
    assert min(dots[:3]) > max(dots[3:])
    assert said(plot, "value") == ["410 ms", "10.1 ms"]
    assert "max_gpu 3, median 10.1 ms" in plot.described
    assert 40 <= len(shapes(strips_of({"a": [0.1 + i / 1e5 for i in range(10_000)]}), "circle", "sample")) <= 80


def strips_of(fact):
    return plots.strips(result_with(SPEEDUP, times_s=fact))


def split_of(gpu, **more):
    return plots.split(result_with(SPEEDUP, gpu=gpu, **more))


def test_a_call_divides_into_copying_and_the_rest_and_copying_never_takes_more_than_the_call():
    plot = split_of({"copying_s": 0.003, "call_s": 0.004, "uuid": "x"}, first_call_s={"max_gpu": 0.5, "b": None})
    assert shapes(plot, "rect", "time")[0]["width"] == pytest.approx(0.75 * WIDTH)
    assert said(plot) == ["plain copies: 3 ms (75 %)", "kernel, Python, other copies: 1 ms"]
    assert plot.note == "First calls, which compile: max_gpu 500 ms."
    plot = split_of({"copying_s": 2.0, "call_s": 1.0})
    assert (shapes(plot, "rect", "time")[0]["width"], plot.note) == (WIDTH, "")


PARTS = {"Linear": 81.93, "ReLU": 14.15, "Sigmoid": 1.63}
BOUNDS = {"768 cores": 41.36, "2 cores": 1.96}


def parts_drawn(**facts):
    return plots.amdahl(result_with("max.times", **facts))


def shares_of(fact):
    return parts_drawn(parallel_parts_percent=fact)


def test_parts_fill_the_bar_and_the_last_is_not_parallel():
    plot = parts_drawn(parallel_parts_percent=PARTS)
    assert said(plot) == ["Linear 81.9 %", "ReLU 14.2 %", "Sigmoid 1.63 %", "not parallel 2.29 %"]
    pieces = [shapes(plot, "rect", kind)[0] for kind in ["part-0", "part-1", "part-2", "rest"]]
    assert pieces[0]["x"] == 0
    for one, other in itertools.pairwise(pieces):
        assert one["x"] + one["width"] == pytest.approx(other["x"])
    assert pieces[-1]["x"] + pieces[-1]["width"] == pytest.approx(WIDTH)
    assert plots.bounds(result_with("max.times", parallel_parts_percent=PARTS)) is None
    assert plots.bounds(result_with("max.times", speedup_bounds=BOUNDS)) is None


def test_bounds_and_what_was_measured_are_bars_from_zero():
    facts = {"parallel_parts_percent": PARTS, "speedup_bounds": BOUNDS, "speedup_measured": 32.09}
    plot = plots.bounds(result_with("max.times", **facts))
    assert said(plot, "value") == ["at most 41.4", "at most 1.96", "32.1"]
    most, least = (bar["width"] for bar in shapes(plot, "rect", "bound"))
    assert (least / most, len(shapes(plot, "rect", "time"))) == (pytest.approx(1.96 / 41.36), 1)
    assert "768 cores at most 41.4, 2 cores at most 1.96, measured on the GPU 32.1" in plot.described


@unhurried
@given(json_values(numbers | texts), json_values(numbers | texts), numbers)
def test_whatever_the_parts_are_nothing_leaves_the_drawing(parts, bounds, measured):
    facts = {"parallel_parts_percent": parts, "speedup_bounds": bounds, "speedup_measured": measured}
    expect_inside(parts_drawn(**facts))
    expect_inside(plots.bounds(result_with("max.times", **facts)))


def test_what_is_drawn_does_not_stand_among_the_facts():
    facts = {"parallel_parts_percent": PARTS, "speedup_bounds": BOUNDS, "speedup_measured": 32.09}
    result = result_with("max.times", **facts, parallel_percent=97.71)
    assert {fact.name for fact in cards.card(result, make(lambda _: None)).facts} == {"parallel (%)"}
    report = make(lambda name: passed(name, facts={"efficiency_percent": EFFICIENCY}))
    assert cards.card(result_of(report, "max.times"), report).facts == ()
    assert "max.times" in cards.figures(report)


EFFICIENCY = {"ranks": [1, 2, 4, 8], "measured": [100.0, 90.0, None, None], "Amdahl's law": [100.0, 95.0, 80.0, 60.0]}


def efficiency(fact):
    return plots.efficiency(result_with("max.times", efficiency_percent=fact))


def test_lines_begin_at_the_top_end_where_nothing_was_measured_and_above_100_percent_stay_inside():
    plot = efficiency(EFFICIENCY)
    measured, law = (points(shapes(plot, "polyline", f"line-{number}")[0]) for number in (0, 1))
    assert (len(measured), len(law)) == (2, 4)
    assert measured[0][1] == pytest.approx(shapes(plot, "line", "grid")[-1]["y1"])
    assert said(plot)[:5] == ["0 %", "25 %", "50 %", "75 %", "100 %"]
    assert said(plot)[-2:] == ["measured", "Amdahl's law"]
    assert "measured 100 %, 90 %" in plot.described
    expect_inside(efficiency({"ranks": [1, 2], "measured": [100.0, 130.0]}))


CALLS = {
    "ranks": 2,
    "calls": [
        *([0, 0.0, 2.0, "Send", "a.py:3"], [1, 1.0, 2.0, "Recv", "a.py:5"]),
        *([0, 3.0, -1.0, "Barrier", "a.py:7"], [1, 2.5, -1.0, "Isend", "a.py:6"], [1, 2.5, -1.0, "isend", "a.py:8"]),
    ],
    "messages": [[0, 0.0, 1, 2.0]],
}


def calls_drawn(fact):
    return plots.space_time(result_with("max.times", **{plots.CALLS_FACT: fact}))


def test_a_message_leads_from_rank_to_rank_and_a_call_that_did_not_end_lasts_to_the_edge():
    plot = calls_drawn(CALLS)
    (message,) = shapes(plot, "line", "message")
    lanes = shapes(plot, "line", "middle")
    assert message["x1"] < message["x2"]
    assert [lane["y1"] for lane in lanes] == [message["y1"], message["y2"]]
    assert len(shapes(plot, "rect", "call")) == 4
    (stuck,) = shapes(plot, "rect", "call stuck")
    assert stuck["x"] + stuck["width"] == pytest.approx(lanes[0]["x2"])
    assert "Barrier a.py:7, which did not end" in [one.words for one in plot.shapes]
    assert "rank 0 in Barrier" in plot.described
    assert "isend" not in plot.described.lower()


NAN, INF = float("nan"), float("inf")
NO_LINES = (None, 3, {}, {"ranks": []}, {"ranks": [1, 2]}, {"ranks": [1], "ring": ["1"]})
NOT_DRAWN = {
    curve_of: (None, 96.5, "96.5", [], [96.5], {"a": 1}, [NAN, 96], [True, False]),
    bars_of: (None, 1.0, [1.0], {}, {"a": 0}, {"a": -1}, {"a": "1"}, {"a": INF}, {"a": 5e-324}),
    interval: (None, 41.0, "41", [41.0], [0, 41], [-1, 2], ["a", "b"], [NAN, 1], [1, 2, 3]),
    strips_of: (None, [], {}, {"a": []}, {"a": "1"}, {"a": [0, -1, None]}, {"a": 1.0}, [1.0]),
    split_of: (None, 1, [], {}, {"copying_s": 1}, {"copying_s": 0, "call_s": 1}, {"call_s": "1"}),
    shares_of: (None, 1.0, [1.0], {}, {"a": 0}, {"a": -1}, {"a": "1"}, {"a": NAN}, {"a": 150}),
    efficiency: NO_LINES,
    calls_drawn: (None, 3, {}, {"ranks": 2}, {"ranks": 2, "calls": []}, {"ranks": "2", "calls": [[0]]}),
}
"""Plot -> facts that lack the numbers, samples, shares or calls which it needs."""


@each("draw, fact", [(draw, fact) for draw, facts in NOT_DRAWN.items() for fact in facts])
def test_a_fact_that_lacks_what_a_plot_needs_is_not_drawn(draw, fact):
    assert draw(fact) is None
    assert interval([1.0, 2.0], "max.times") is None, "there is no threshold"


@unhurried
@given(json_values(numbers | texts))
def test_whatever_is_in_the_evidence_breaks_no_report_and_leaves_no_drawing(value):
    expect_inside(interval(value), slack=20)
    expect_inside(strips_of(value))
    for fact in (value, {"ranks": value, "ring": value}, {"ranks": [1, 2], "ring": [value, 1.0]}):
        expect_inside(efficiency(fact))
    calls_drawn(value)
    calls_drawn({"ranks": 3, "calls": value, "messages": value})
    calls_drawn({"ranks": 3, "calls": [[0, value, value, value, value]], "messages": [[value] * 4]})
