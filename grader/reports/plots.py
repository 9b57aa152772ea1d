"""Plots as coordinates: facts in, numbers and labels for the SVG templates out. Nothing here knows a file format."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grader.model import Result
from grader.reports.story import clean, seconds_text

CURVE_FACT = "accuracy_per_epoch_percent"
BARS_FACT = "best_times_s"
WIDTH = 480
CURVE_HEIGHT = 200
BAR_HEIGHT = 26
_MAX_POINTS = 200
_MAX_BARS = 12
_LEFT, _RIGHT, _TOP, _BOTTOM = 48, 24, 18, 32
_INSET = 24
_BARS_LEFT, _BARS_RIGHT = 96, 76
_LOG_FROM_RATIO = 20
_SHORTEST_S = 1e-9
_LARGEST = 1e9
_WHOLE = 100.0
_STEPS = (1.0, 2.0, 5.0, 10.0, 20.0, 25.0, 50.0)
"""Between grid lines of an axis of percent: each divides 100."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One labelled position of a plot, in the SVG's pixels."""

    x: float
    y: float
    label: str


@dataclass(frozen=True, slots=True)
class Curve:
    """Accuracy per epoch: marks from left to right, grid lines, and the threshold where the rubric has one."""

    marks: tuple[Mark, ...]
    grid: tuple[Mark, ...]
    threshold: Mark | None
    described: str
    height: int = CURVE_HEIGHT

    @property
    def path(self) -> str:
        """The polyline's `points` attribute."""
        return " ".join(f"{mark.x:.1f},{mark.y:.1f}" for mark in self.marks)


@dataclass(frozen=True, slots=True)
class Bars:
    """Times, one bar each; `x` of a mark is where its bar ends."""

    marks: tuple[Mark, ...]
    values: tuple[str, ...]
    grid: tuple[Mark, ...]
    logarithmic: bool
    described: str
    left: float = _BARS_LEFT

    @property
    def height(self) -> int:
        """Height of the drawing in pixels."""
        return BAR_HEIGHT * len(self.marks) + 30


def curve(result: Result) -> Curve | None:
    """Return the plot of `accuracy_per_epoch_percent`, `None` where there is no such list of two numbers or more.

    What is no percentage from 0 to 100 is left out.
    """
    values = [value for value in _numbers(result.observation.facts.get(CURVE_FACT)) if 0 <= value <= _WHOLE]
    if len(values) < 2:  # noqa: PLR2004 - one point is no curve
        return None
    bound = result.criterion.threshold.above if result.criterion.threshold else None
    bound = bound if bound is not None and 0 <= bound <= _WHOLE else None
    ticks = _ticks([*values, *([] if bound is None else [bound])])
    low, high = ticks[0], ticks[-1]
    step = (WIDTH - _LEFT - _RIGHT - 2 * _INSET) / (len(values) - 1)

    def y_of(value: float) -> float:
        return _TOP + (high - value) / (high - low) * (CURVE_HEIGHT - _TOP - _BOTTOM)

    return Curve(
        marks=tuple(Mark(_LEFT + _INSET + step * i, y_of(value), f"{value:.1f}") for i, value in enumerate(values)),
        grid=tuple(Mark(_LEFT, y_of(value), f"{value:g} %") for value in ticks),
        threshold=None if bound is None else Mark(_LEFT, y_of(bound), f"{bound:g} % needed"),
        described="Accuracy after each epoch in percent: " + ", ".join(f"{value:.2f}" for value in values),
    )


def bars(result: Result) -> Bars | None:
    """Return the plot of `best_times_s`, `None` where there is no such mapping of names to positive seconds."""
    times = _times(result.observation.facts.get(BARS_FACT))
    if not times:
        return None
    shortest, longest = min(times.values()), max(times.values())
    logarithmic = longest > shortest * _LOG_FROM_RATIO
    low, high = _time_limits(shortest, longest, logarithmic)

    def x_of(seconds: float) -> float:
        share = math.log(seconds / low) / math.log(high / low) if logarithmic else seconds / high
        return _BARS_LEFT + share * (WIDTH - _BARS_LEFT - _BARS_RIGHT)

    grid = [10.0**power for power in range(_power(low), _power(high) + 1)] if logarithmic else _time_ticks(high)
    return Bars(
        marks=tuple(Mark(x_of(value), BAR_HEIGHT * row, name) for row, (name, value) in enumerate(times.items())),
        values=tuple(seconds_text(value) for value in times.values()),
        grid=tuple(Mark(x_of(value), 0, seconds_text(value) if value else "0") for value in grid),
        logarithmic=logarithmic,
        described="Best times: " + ", ".join(f"{name} {seconds_text(value)}" for name, value in times.items()),
    )


def _numbers(fact: Any) -> list[float]:
    if not isinstance(fact, Sequence) or isinstance(fact, str):
        return []
    return [float(value) for value in fact[:_MAX_POINTS] if is_number(value)]


def _times(fact: Any) -> dict[str, float]:
    if not isinstance(fact, Mapping):
        return {}
    named = list(fact.items())[:_MAX_BARS]
    return {clean(str(name), 24): float(value) for name, value in named if is_number(value) and value > _SHORTEST_S}


def is_number(value: Any) -> bool:
    """Return whether `value` is a number that can be drawn; NaN is not."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _LARGEST


def _ticks(values: Sequence[float]) -> list[float]:
    """Return the grid lines of an axis of percent, from end to end: three or more, with room around the values."""
    low, high = min(values), max(values)
    step = next((step for step in _STEPS if high - low <= 4 * step), _STEPS[-1])
    first = max(math.floor(low / step - 0.5), 0)
    last = min(math.ceil(high / step + 0.2), round(_WHOLE / step))
    first = min(first, last - 2) if last > 1 else 0
    return [step * number for number in range(first, max(last, first + 2) + 1)]


def _power(seconds: float) -> int:
    return round(math.log10(seconds))


def _time_limits(shortest: float, longest: float, logarithmic: bool) -> tuple[float, float]:
    """Return the ends of a time axis: whole decades when it is logarithmic, else 0 to the longest."""
    if not logarithmic:
        return 0.0, longest
    return 10.0 ** math.floor(math.log10(shortest) - 1e-9), 10.0 ** math.ceil(math.log10(longest))


def _time_ticks(longest: float) -> list[float]:
    """Return three to seven grid lines of a linear time axis, from 0 on: 1, 2 or 5 times a power of ten apart."""
    most = longest / 3
    power = 10.0 ** math.floor(math.log10(most))
    step = max(factor * power for factor in (1, 2, 5) if factor == 1 or factor * power <= most)
    return [step * number for number in range(math.floor(longest / step * (1 + 1e-9)) + 1)]
