"""The plot of Amdahl's law: parts side by side that fill the bar, bounds from zero, or no plot at all."""

import pytest
from hypothesis import given
from report_strategies import json_values, numbers, texts, unhurried
from rows import each
from sample_reports import make, result_with

from grader.reports import amdahlplots, cards, plots

PARTS = {"Linear": 81.93, "ReLU": 14.15, "Sigmoid": 1.63}
BOUNDS = {"768 cores": 41.36, "2 cores": 1.96}


def drawn(**facts):
    return amdahlplots.amdahl(result_with("max.times", **facts))


def test_parts_fill_the_bar_and_the_last_is_not_parallel():
    plot = drawn(parallel_parts_percent=PARTS)
    labels = [part.legend.label for part in plot.parts]
    assert labels == ["Linear 81.9 %", "ReLU 14.2 %", "Sigmoid 1.63 %", "not parallel 2.29 %"]
    assert [part.is_parallel for part in plot.parts] == [True, True, True, False]
    assert plot.parts[0].left == 0
    for one, other in zip(plot.parts, plot.parts[1:], strict=False):
        assert one.left + one.width == pytest.approx(other.left)
    assert plot.parts[-1].left + plot.parts[-1].width == pytest.approx(plots.WIDTH)
    assert plot.bars == ()


def test_bounds_and_what_was_measured_are_bars_from_zero():
    plot = drawn(parallel_parts_percent=PARTS, speedup_bounds=BOUNDS, speedup_measured=32.09)
    most, least, measured = plot.bars
    assert (most.value, least.value, measured.value) == ("at most 41.4", "at most 1.96", "32.1")
    assert least.width / most.width == pytest.approx(1.96 / 41.36)
    assert (most.is_bound, measured.is_bound) == (True, False)
    assert "768 cores at most 41.4, 2 cores at most 1.96, measured on the GPU 32.1" in plot.compared


@each("fact", [None, 1.0, [1.0], {}, {"a": 0}, {"a": -1}, {"a": "1"}, {"a": float("nan")}, {"a": 150}])
def test_there_is_no_plot_without_shares_of_a_whole(fact):
    assert drawn(parallel_parts_percent=fact) is None


@unhurried
@given(json_values(numbers | texts), json_values(numbers | texts), numbers)
def test_whatever_the_facts_are_nothing_leaves_the_drawing(parts, bounds, measured):
    plot = drawn(parallel_parts_percent=parts, speedup_bounds=bounds, speedup_measured=measured)
    if plot is not None:
        assert all(-0.001 <= part.left <= part.left + part.width <= plots.WIDTH + 0.001 for part in plot.parts)
        assert all(0 <= part.legend.y <= plot.height for part in plot.parts)
        assert all(0 <= bar.width <= plots.WIDTH - plot.left for bar in plot.bars)


def test_a_name_is_drawn_without_what_a_terminal_or_page_obeys():
    plot = drawn(parallel_parts_percent={"Li\x1b[31mnear\u202e" + "r" * 99: 80.0})
    (label, _rest) = (part.legend.label for part in plot.parts)
    assert label.startswith("Li")
    assert len(label) < 40
    assert not {"\x1b", "\u202e"} & {*label, *plot.described}


def test_what_is_drawn_is_not_listed_again():
    facts = {"parallel_parts_percent": PARTS, "speedup_bounds": BOUNDS, "speedup_measured": 32.09}
    result = result_with("max.times", **facts, parallel_percent=97.71)
    assert {fact.name for fact in cards.card(result, make(lambda _: None)).facts} == {"parallel (%)"}
