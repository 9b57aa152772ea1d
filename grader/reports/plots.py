"""Plots as coordinates: facts in, numbers and labels for the SVG templates out. Nothing here knows a file format."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from grader.model import Result
from grader.reports.figure import SHORTEST_S, WIDTH, Axis, Mark, is_number, named_numbers, whole_decades
from grader.reports.story import seconds_text

CURVE_FACT = "accuracy_per_epoch_percent"
BARS_FACT = "best_times_s"
CURVE_HEIGHT = 200
BAR_HEIGHT = 26
_MAX_POINTS = 200
_MAX_BARS = 12
_LEFT, _RIGHT, _TOP, _BOTTOM = 48, 24, 18, 32
_INSET = 24
_BARS_LEFT, _BARS_RIGHT = 96, 76
_LOG_FROM_RATIO = 20
_WHOLE = 100.0
_STEPS = (1.0, 2.0, 5.0, 10.0, 20.0, 25.0, 50.0)
"""Between grid lines of an axis of percent: each divides 100."""


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
    fact = result.observation.facts.get(CURVE_FACT)
    numbers = fact[:_MAX_POINTS] if isinstance(fact, Sequence) and not isinstance(fact, str) else ()
    values = [float(value) for value in numbers if is_number(value) and 0 <= value <= _WHOLE]
    if len(values) < 2:  # noqa: PLR2004 - one point is no curve
        return None
    bound = result.criterion.threshold.above if result.criterion.threshold else None
    bound = bound if bound is not None and 0 <= bound <= _WHOLE else None
    ticks = _ticks([*values, *([] if bound is None else [bound])])
    across = Axis(0, len(values) - 1, _LEFT + _INSET, WIDTH - _RIGHT - _INSET)
    up = Axis(ticks[0], ticks[-1], CURVE_HEIGHT - _BOTTOM, _TOP)
    return Curve(
        marks=tuple(Mark(across.at(i), up.at(value), f"{value:.1f}") for i, value in enumerate(values)),
        grid=tuple(Mark(_LEFT, up.at(value), f"{value:g} %") for value in ticks),
        threshold=None if bound is None else Mark(_LEFT, up.at(bound), f"{bound:g} % needed"),
        described="Accuracy after each epoch in percent: " + ", ".join(f"{value:.2f}" for value in values),
    )


def bars(result: Result) -> Bars | None:
    """Return the plot of `best_times_s`, `None` where there is no such mapping of names to positive seconds."""
    times = named_numbers(result.observation.facts.get(BARS_FACT), _MAX_BARS, 24, math.nextafter(SHORTEST_S, 1))
    if not times:
        return None
    shortest, longest = min(times.values()), max(times.values())
    logarithmic = longest > shortest * _LOG_FROM_RATIO
    low, high = whole_decades(shortest, longest) if logarithmic else (0.0, longest)
    axis = Axis(low, high, _BARS_LEFT, WIDTH - _BARS_RIGHT, logarithmic)
    grid = axis.decades() if logarithmic else axis.even_values()
    return Bars(
        marks=tuple(Mark(axis.at(value), BAR_HEIGHT * row, name) for row, (name, value) in enumerate(times.items())),
        values=tuple(seconds_text(value) for value in times.values()),
        grid=tuple(Mark(axis.at(value), 0, seconds_text(value) if value else "0") for value in grid),
        logarithmic=logarithmic,
        described="Best times: " + ", ".join(f"{name} {seconds_text(value)}" for name, value in times.items()),
    )


def _ticks(values: Sequence[float]) -> list[float]:
    """Return the grid lines of an axis of percent, from end to end: three or more, with room around the values."""
    low, high = min(values), max(values)
    step = next((step for step in _STEPS if high - low <= 4 * step), _STEPS[-1])
    first = max(math.floor(low / step - 0.5), 0)
    last = min(math.ceil(high / step + 0.2), round(_WHOLE / step))
    first = min(first, last - 2) if last > 1 else 0
    return [step * number for number in range(first, max(last, first + 2) + 1)]
