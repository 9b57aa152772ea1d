"""Plots of an accuracy over epochs, and of times: facts in, a drawing out."""

from __future__ import annotations

import math
from collections.abc import Sequence

from grader.model import Result
from grader.reports.figure import (
    SHORTEST_S,
    WIDTH,
    Axis,
    Drawing,
    bar,
    columns,
    dot,
    is_number,
    line,
    named_numbers,
    path,
    rows,
    whole_decades,
    words,
)
from grader.reports.story import seconds_text

CURVE_FACT = "accuracy_per_epoch_percent"
BARS_FACT = "best_times_s"
CURVE_HEIGHT = 200
BAR_HEIGHT = 26
_MAX_POINTS, _MAX_LABELS = 200, 12
_MAX_BARS = 12
_LEFT, _RIGHT, _TOP, _BOTTOM = 48, 24, 18, 32
_INSET = 24
BARS_LEFT, _BARS_RIGHT = 96, 76
_LOG_FROM_RATIO = 20
_WHOLE = 100.0
_STEPS = (1.0, 2.0, 5.0, 10.0, 20.0, 25.0, 50.0)
"""Between grid lines of an axis of percent: each divides 100."""


def curve(result: Result) -> Drawing | None:
    """Return the plot of `accuracy_per_epoch_percent`, `None` where there is no such list of two numbers or more.

    What is no percentage from 0 to 100 is left out.
    """
    fact = result.observation.facts.get(CURVE_FACT)
    numbers = fact[:_MAX_POINTS] if isinstance(fact, Sequence) and not isinstance(fact, str) else ()
    values = [float(value) for value in numbers if is_number(value) and 0 <= value <= _WHOLE]
    if len(values) < 2:  # noqa: PLR2004 - one point is no curve
        return None
    bound = result.criterion.threshold.above if result.criterion.threshold else None
    bounds = [] if bound is None or not 0 <= bound <= _WHOLE else [bound]
    ticks = _ticks([*values, *bounds])
    across = Axis(0, len(values) - 1, _LEFT + _INSET, WIDTH - _RIGHT - _INSET)
    up = Axis(ticks[0], ticks[-1], CURVE_HEIGHT - _BOTTOM, _TOP)
    shapes = [*rows(up, ticks, lambda value: f"{value:g} %", _LEFT, WIDTH - _RIGHT)]
    for needed in bounds:
        y = up.at(needed)
        shapes.append(line("needed", (_LEFT, y), (WIDTH - _RIGHT, y)))
        shapes.append(words("needed", WIDTH - _RIGHT, y + 14, f"{needed:g} % needed", "end"))
    points = [(across.at(place), up.at(value)) for place, value in enumerate(values)]
    shapes += [path("curve", points), *(dot("dot", x, y, 3.5) for x, y in points)]
    for epoch, ((x, y), value) in enumerate(zip(points, values, strict=True), start=1):
        if len(points) <= _MAX_LABELS:
            shapes.append(words("value", x, y - 9, f"{value:.1f}", "middle"))
            shapes.append(words("", x, CURVE_HEIGHT - 8, str(epoch), "middle"))
    described = "Accuracy after each epoch in percent: " + ", ".join(f"{value:.2f}" for value in values)
    return Drawing("Accuracy after each epoch", CURVE_HEIGHT, tuple(shapes), described)


def bars(result: Result) -> Drawing | None:
    """Return the plot of `best_times_s`, `None` where there is no such mapping of names to positive seconds."""
    times = named_numbers(result.observation.facts.get(BARS_FACT), _MAX_BARS, 24, math.nextafter(SHORTEST_S, 1))
    if not times:
        return None
    shortest, longest = min(times.values()), max(times.values())
    logarithmic = longest > shortest * _LOG_FROM_RATIO
    low, high = whole_decades(shortest, longest) if logarithmic else (0.0, longest)
    axis = Axis(low, high, BARS_LEFT, WIDTH - _BARS_RIGHT, logarithmic)
    grid, height = axis.decades() if logarithmic else axis.even_values(), BAR_HEIGHT * len(times) + 30
    shapes = [*columns(axis, grid, lambda value: seconds_text(value) if value else "0", height)]
    for row, (name, value) in enumerate(times.items()):
        y, end = BAR_HEIGHT * row, axis.at(value)
        shapes.append(words("", BARS_LEFT - 10, y + 19, name, "end"))
        shapes.append(bar("time", BARS_LEFT, y + 6, end - BARS_LEFT))
        shapes.append(words("value", end + 8, y + 19, seconds_text(value)))
    described = "Best times: " + ", ".join(f"{name} {seconds_text(value)}" for name, value in times.items())
    return Drawing("Best times" + logarithmic * " (logarithmic scale)", height, tuple(shapes), described)


def _ticks(values: Sequence[float]) -> list[float]:
    """Return the grid lines of an axis of percent, from end to end: three or more, with room around the values."""
    low, high = min(values), max(values)
    step = next((step for step in _STEPS if high - low <= 4 * step), _STEPS[-1])
    first = max(math.floor(low / step - 0.5), 0)
    last = min(math.ceil(high / step + 0.2), round(_WHOLE / step))
    first = min(first, last - 2) if last > 1 else 0
    return [step * number for number in range(first, max(last, first + 2) + 1)]
