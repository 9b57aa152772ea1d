"""Plots of an accuracy over epochs, of times, and of a speed verdict with every sample: facts in, a drawing out."""

import math
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from grader.model import Result, printable
from grader.reports.figure import (
    SHORTEST_S,
    WIDTH,
    Axis,
    Drawing,
    bar,
    columns,
    dot,
    is_number,
    is_positive,
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


SAMPLES_FACT = "times_s"
SPLIT_FACT = "gpu"
FIRST_FACT = "first_call_s"
ROW_HEIGHT = 34
INTERVAL_HEIGHT = 64
_MAX_ROWS = 8
_MAX_DOTS = 80
_ROWS_LEFT, _ROWS_RIGHT = 96, 24
_TURNS = 380
"""From this pixel on, what is said of a median stands on its left."""
_ROOM = 1.6


def split(result: Result) -> Drawing | None:
    """Return one call of the GPU as a bar of two, `None` where the facts do not say how long copying takes."""
    fact = result.observation.facts.get(SPLIT_FACT)
    if not isinstance(fact, Mapping) or not all(is_positive(fact.get(name)) for name in ("copying_s", "call_s")):
        return None
    call_s, copying_s = float(fact["call_s"]), float(fact["copying_s"])
    share = min(copying_s / call_s, 1.0)
    copying = f"plain copies: {seconds_text(copying_s)} ({100 * share:.0f} %)"
    rest = f"kernel, Python, other copies: {seconds_text(max(call_s - copying_s, 0.0))}"
    shapes = (
        *(bar("rest", 0, 4, WIDTH, 14), bar("time", 0, 4, share * WIDTH, 14)),
        *(words("", 0, 36, copying), words("", WIDTH, 36, rest, "end")),
    )
    first = result.observation.facts.get(FIRST_FACT)
    calls = named_numbers(first, _MAX_ROWS, 24, math.nextafter(SHORTEST_S, 1)).items()
    times = ", ".join(f"{name} {seconds_text(value)}" for name, value in calls)
    note = f"First calls, which compile: {times}." if times else ""
    described = f"One call takes {seconds_text(call_s)}: {copying}; {rest}"
    return Drawing("One call of the GPU function", 46, shapes, described, note)


def interval(result: Result) -> Drawing | None:
    """Return the plot of the fact that a threshold bounds, `None` unless it is two positive numbers in order."""
    ends = interval_ends(result)
    if ends is None:
        return None
    low, high, bound = ends
    axis = Axis(min(low, bound) / _ROOM, max(high, bound) * _ROOM, _ROWS_LEFT, WIDTH - _ROWS_RIGHT, is_logarithmic=True)
    x, end, needed = axis.at(low), axis.at(high), axis.at(bound)
    is_clear = low >= bound or high < bound
    shapes = (
        *columns(axis, axis.round_values(), "{:g}".format, INTERVAL_HEIGHT),
        *(line("needed", (needed, 4), (needed, 40)), words("needed", needed + 5, 12, f"{bound:g} needed")),
        bar("interval clear" if is_clear else "interval", x, 20, max(end - x, 3), 12),
        *(words("value", x - 6, 30, f"{low:.3g}", "end"), words("value", max(end, x + 3) + 6, 30, f"{high:.3g}")),
    )
    described = f"Measured between {low:.3g} and {high:.3g}, {bound:g} needed"
    return Drawing("Speed-up, as an interval", INTERVAL_HEIGHT, shapes, described)


def interval_ends(result: Result) -> tuple[float, float, float] | None:
    """Return the measured interval and its bound: low, high, bound; `None` unless all are positive and in order."""
    threshold = result.criterion.threshold
    ends = result.observation.facts.get(threshold.fact) if threshold else None
    if not threshold or not isinstance(ends, Sequence) or len(ends) != 2 or not all(map(is_positive, ends)):  # noqa: PLR2004 - two ends
        return None
    low, high = float(ends[0]), float(ends[1])
    return (low, high, threshold.bound) if low <= high and threshold.bound > 0 else None


def strips(result: Result) -> Drawing | None:
    """Return the plot of `times_s`, `None` where there is no mapping of names to lists of positive seconds."""
    samples = _samples(result.observation.facts.get(SAMPLES_FACT))
    if not samples:
        return None
    every = [value for values in samples.values() for value in values]
    axis = Axis(min(every) / 1.2, max(every) * 1.2, _ROWS_LEFT, WIDTH - _ROWS_RIGHT, is_logarithmic=True)
    height = ROW_HEIGHT * len(samples) + 30
    shapes = [*columns(axis, axis.round_values(most=5), seconds_text, height)]
    for row, (name, values) in enumerate(samples.items()):
        y, middle = ROW_HEIGHT * row + ROW_HEIGHT / 2, axis.at(median(values))
        shapes += [words("", _ROWS_LEFT - 8, y + 4, name, "end"), line("middle", (middle, y - 11), (middle, y + 11))]
        shown = values[:: math.ceil(len(values) / _MAX_DOTS)]
        shapes += [dot("sample", axis.at(value), y + (i % 5 - 2) * 3.0) for i, value in enumerate(shown)]
        x, anchor = (middle + 8, "start") if middle < _TURNS else (middle - 8, "end")
        shapes.append(words("value", x, y - 6, seconds_text(median(values)), anchor))
    lines = (f"{name} {len(values)}, median {seconds_text(median(values))}" for name, values in samples.items())
    title = "Every sample, and the medians (logarithmic scale)"
    return Drawing(title, height, tuple(shapes), f"Samples: {'; '.join(lines)}")


def _samples(fact: Any) -> dict[str, list[float]]:
    """Return the lists that can be drawn, under names that can be shown."""
    drawn = {}
    for name, values in list(fact.items())[:_MAX_ROWS] if isinstance(fact, Mapping) else ():
        numbers = values if isinstance(values, Sequence) and not isinstance(values, str) else ()
        if positive := [float(value) for value in numbers if is_positive(value)]:
            drawn[printable(str(name), 16)] = positive
    return drawn
