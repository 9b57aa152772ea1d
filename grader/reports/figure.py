"""The elements of all charts: axes, their round values, shapes in a drawing, and filters for numbers to draw.

One template draws all shapes; style sheets define their look by their classes.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from grader.model import printable

WIDTH = 480
BAR_HEIGHT = 26
SHORTEST_S = 1e-9
_LARGEST = 1e9
_STEPS = (1, 2, 5)


@dataclass(frozen=True, slots=True)
class Axis:
    """Maps values to pixels: `low` is at the pixel `start`, `high` at `end`; `start` may be larger than `end`."""

    low: float
    high: float
    start: float
    end: float
    is_logarithmic: bool = False

    def at(self, value: float) -> float:
        """Return the pixel of `value`; the middle if `low` equals `high`. On a logarithmic axis, `low` is the least."""
        if self.high == self.low:
            share = 0.5
        elif self.is_logarithmic:
            share = math.log(max(value, self.low) / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def decades(self) -> list[float]:
        """Return the powers of ten on a logarithmic axis, whose ends must be powers of ten."""
        first, last = (round(math.log10(value)) for value in (self.low, self.high))
        return [10.0**power for power in range(first, last + 1)]

    def round_values(self, most: int = 7) -> list[float]:
        """Return at most `most` values on a logarithmic axis: 1, 2 and 5 of each decade, or only powers of ten."""
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        for steps in (_STEPS, _STEPS[:1]):
            every = (step * 10.0**power for power in powers for step in steps)
            values = [value for value in every if self.low <= value <= self.high]
            if len(values) <= most:
                return values
        return values[:: math.ceil(len(values) / most)]

    def even_values(self) -> list[float]:
        """Return four to eight values from 0 to the high end, in steps of 1, 2 or 5 times a power of ten."""
        most = self.high / 3
        power = 10.0 ** math.floor(math.log10(most))
        step = max(factor * power for factor in _STEPS if factor == 1 or factor * power <= most)
        return [step * number for number in range(math.floor(self.high / step * (1 + 1e-9)) + 1)]


@dataclass(frozen=True, slots=True)
class Shape:
    """One SVG element: its tag, its class for style sheets, its attributes, and its text."""

    tag: str
    kind: str
    numbers: Mapping[str, float | str]
    words: str = ""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A chart in its own pixels: its shapes, in the order of drawing, and a description in words."""

    title: str
    height: float
    shapes: tuple[Shape, ...]
    described: str
    note: str = ""  # a sentence that is shown beside it
    width: float = WIDTH


def line(kind: str, start: tuple[float, float], end: tuple[float, float]) -> Shape:
    """Return a straight line."""
    return Shape("line", kind, {"x1": start[0], "y1": start[1], "x2": end[0], "y2": end[1]})


def path(kind: str, points: Iterable[tuple[float, float]], tag: str = "polyline") -> Shape:
    """Return a line through the points, or with the tag `polygon` the polygon of these corners."""
    return Shape(tag, kind, {"points": " ".join(f"{x:.1f},{y:.1f}" for x, y in points)})


def bar(kind: str, x: float, y: float, width: float, height: float = 16, title: str = "") -> Shape:
    """Return a bar that begins at `x`; `title` is its tooltip."""
    return Shape("rect", kind, {"x": x, "y": y, "width": width, "height": height, "rx": min(3, height / 5)}, title)


def dot(kind: str, x: float, y: float, radius: float = 2.5) -> Shape:
    """Return a dot."""
    return Shape("circle", kind, {"cx": x, "cy": y, "r": radius})


def words(kind: str, x: float, y: float, text: str, anchor: str = "start") -> Shape:
    """Return a text; `anchor` says whether it begins, ends or has its middle at `x`. The kind `value` is emphasised."""
    return Shape("text", kind, {"x": x, "y": y, "text-anchor": anchor}, text)


def columns(axis: Axis, values: Iterable[float], say: Callable[[float], str], height: float) -> Iterator[Shape]:
    """Yield the grid lines of a horizontal axis, with their values below."""
    for value in values:
        x = axis.at(value)
        yield line("grid", (x, 0), (x, height - 24))
        yield words("", x, height - 8, say(value), "middle")


def rows(
    axis: Axis, values: Iterable[float], say: Callable[[float], str], left: float, right: float
) -> Iterator[Shape]:
    """Yield the grid lines of a vertical axis, with their values on the left."""
    for value in values:
        y = axis.at(value)
        yield line("grid", (left, y), (right, y))
        yield words("", left - 6, y + 4, say(value), "end")


def named_bars(axis: Axis, bars: Iterable[tuple[str, float, str, str]], top: float) -> tuple[list[Shape], float]:
    """Return bars below each other and their total height; each bar is given by name, value, kind and label."""
    shapes, y = [], top
    for name, value, kind, label in bars:
        end = axis.at(value)
        shapes += [words("", axis.start - 10, y + 13, name, "end"), bar(kind, axis.start, y, end - axis.start)]
        shapes.append(words("value", end + 8, y + 13, label))
        y += BAR_HEIGHT
    return shapes, y - top


def whole_decades(shortest: float, longest: float, room: float = 1e-9) -> tuple[float, float]:
    """Return two powers of ten around the values from `shortest` to `longest`; with `room`, the lower is smaller."""
    first = math.floor(math.log10(shortest) - room)
    return 10.0**first, 10.0 ** max(math.ceil(math.log10(longest)), first + 1)


def is_number(value: Any) -> bool:
    """Return whether `value` is a number that can be drawn; NaN and very large numbers cannot."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _LARGEST


def is_positive(value: Any) -> bool:
    """Return whether `value` is a number that a logarithmic axis can show."""
    return is_number(value) and value > SHORTEST_S


def named_numbers(fact: Any, most: int, letters: int, least: float = 0.0) -> dict[str, float]:
    """Return the numbers of at least `least` among a mapping's first `most` entries; names are cut to `letters`."""
    named = list(fact.items())[:most] if isinstance(fact, Mapping) else ()
    return {printable(str(name), letters): float(value) for name, value in named if is_number(value) and value >= least}


def named_lists(fact: Any, most: int, letters: int) -> dict[str, list[Any]]:
    """Return at most `most` lists of a mapping, with any content; names are cut to `letters`."""
    named = fact.items() if isinstance(fact, Mapping) else ()
    lists = [(name, values) for name, values in named if isinstance(values, list | tuple)]
    return {printable(str(name), letters): list(values) for name, values in lists[:most]}
