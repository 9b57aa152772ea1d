"""Plots of a speed verdict: where the interval lies against its threshold, and every sample that it comes from."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from grader.model import Result
from grader.reports.figure import WIDTH, Axis, Mark, is_positive
from grader.reports.story import clean, seconds_text

SAMPLES_FACT = "times_s"
SPLIT_FACT = "gpu"
FIRST_FACT = "first_call_s"
ROW_HEIGHT = 34
INTERVAL_HEIGHT = 64
_MAX_ROWS = 8
_MAX_DOTS = 80
_LEFT, _RIGHT = 96, 24
_ROOM = 1.6


@dataclass(frozen=True, slots=True)
class Interval:
    """A measured ratio as a bar from `low` to `high`, with the bound that the rubric sets."""

    low: Mark
    high: Mark
    bound: Mark
    grid: tuple[Mark, ...]
    is_clear: bool
    """Whether the interval lies on one side of the bound."""
    described: str
    height: int = INTERVAL_HEIGHT


@dataclass(frozen=True, slots=True)
class Strip:
    """All samples of one contestant: dots, and a mark at their median."""

    name: str
    y: float
    dots: tuple[tuple[float, float], ...]
    middle: Mark


@dataclass(frozen=True, slots=True)
class Strips:
    """Samples of all contestants on one logarithmic axis of seconds."""

    rows: tuple[Strip, ...]
    grid: tuple[Mark, ...]
    described: str

    @property
    def height(self) -> int:
        """Height of the drawing in pixels."""
        return ROW_HEIGHT * len(self.rows) + 30


@dataclass(frozen=True, slots=True)
class Split:
    """One call's time as a bar of two: plain copies, and the rest. `first` says what the first call cost."""

    copying: float
    """Width in pixels; the bar starts at `left` and is `width` long."""
    copying_text: str
    rest_text: str
    first: str
    described: str
    left: int = 0
    width: int = WIDTH


def split(result: Result) -> Split | None:
    """Return how a call of the GPU divides, `None` where the facts do not say how long copying takes."""
    fact = result.observation.facts.get(SPLIT_FACT)
    if not isinstance(fact, Mapping) or not all(is_positive(fact.get(name)) for name in ("copying_s", "call_s")):
        return None
    call_s, copying_s = float(fact["call_s"]), float(fact["copying_s"])
    share = min(copying_s / call_s, 1.0)
    copying = f"plain copies: {seconds_text(copying_s)} ({100 * share:.0f} %)"
    rest = f"kernel, Python, other copies: {seconds_text(max(call_s - copying_s, 0.0))}"
    first = result.observation.facts.get(FIRST_FACT)
    return Split(
        copying=share * WIDTH,
        copying_text=copying,
        rest_text=rest,
        first=_first_calls(first) if isinstance(first, Mapping) else "",
        described=f"One call takes {seconds_text(call_s)}: {copying}; {rest}",
    )


def _first_calls(fact: Mapping[Any, Any]) -> str:
    calls = [(clean(str(name), 24), value) for name, value in list(fact.items())[:_MAX_ROWS] if is_positive(value)]
    return ", ".join(f"{name} {seconds_text(value)}" for name, value in calls)


def interval(result: Result) -> Interval | None:
    """Return the plot of the fact that a threshold bounds, `None` unless it is two positive numbers in order."""
    ends = interval_ends(result)
    if ends is None:
        return None
    low, high, bound = ends
    axis = Axis(min(low, bound) / _ROOM, max(high, bound) * _ROOM, _LEFT, WIDTH - _RIGHT, is_logarithmic=True)
    return Interval(
        low=Mark(axis.at(low), 0, f"{low:.3g}"),
        high=Mark(axis.at(high), 0, f"{high:.3g}"),
        bound=Mark(axis.at(bound), 0, f"{bound:g} needed"),
        grid=tuple(Mark(axis.at(value), 0, f"{value:g}") for value in axis.round_values()),
        is_clear=low >= bound or high < bound,
        described=f"Measured between {low:.3g} and {high:.3g}, {bound:g} needed",
    )


def interval_ends(result: Result) -> tuple[float, float, float] | None:
    """Return the measured interval and its bound: low, high, bound; `None` unless all are positive and in order."""
    threshold = result.criterion.threshold
    bound = (threshold.at_least if threshold.above is None else threshold.above) if threshold else None
    ends = result.observation.facts.get(threshold.fact) if threshold else None
    if not bound or not isinstance(ends, Sequence) or len(ends) != 2 or not all(map(is_positive, ends)):  # noqa: PLR2004 - two ends
        return None
    low, high = float(ends[0]), float(ends[1])
    return (low, high, bound) if low <= high else None


def strips(result: Result) -> Strips | None:
    """Return the plot of `times_s`, `None` where there is no mapping of names to lists of positive seconds."""
    samples = _samples(result.observation.facts.get(SAMPLES_FACT))
    if not samples:
        return None
    every = [value for values in samples.values() for value in values]
    axis = Axis(min(every) / 1.2, max(every) * 1.2, _LEFT, WIDTH - _RIGHT, is_logarithmic=True)
    rows = tuple(_strip(row, name, values, axis) for row, (name, values) in enumerate(samples.items()))
    return Strips(
        rows=rows,
        grid=tuple(Mark(axis.at(value), 0, seconds_text(value)) for value in axis.round_values(most=5)),
        described="Samples: "
        + "; ".join(f"{name} {len(values)}, median {seconds_text(median(values))}" for name, values in samples.items()),
    )


def _strip(row: int, name: str, values: Sequence[float], axis: Axis) -> Strip:
    centre = ROW_HEIGHT * row + ROW_HEIGHT / 2
    shown = values[:: math.ceil(len(values) / _MAX_DOTS)]
    middle = median(values)
    return Strip(
        name=name,
        y=centre,
        dots=tuple((axis.at(value), centre + (i % 5 - 2) * 3.0) for i, value in enumerate(shown)),
        middle=Mark(axis.at(middle), centre, seconds_text(middle)),
    )


def _samples(fact: Any) -> dict[str, list[float]]:
    """Return the lists that can be drawn, under names that can be shown."""
    if not isinstance(fact, Mapping):
        return {}
    lists = [(clean(str(name), 16), values) for name, values in list(fact.items())[:_MAX_ROWS]]
    drawn = (
        (name, [float(value) for value in values if is_positive(value)])
        for name, values in lists
        if isinstance(values, Sequence) and not isinstance(values, str)
    )
    return {name: values for name, values in drawn if values}
