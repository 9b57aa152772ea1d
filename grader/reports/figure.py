"""What every chart is made of: an axis, its round values, shapes in a drawing, and numbers that may be drawn.

Facts in, shapes out: one template draws them all, and style sheets say by their classes how they look.
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
    """Where values lie between two ends of a drawing, in pixels; `low` lies at `start`, whichever end that is."""

    low: float
    high: float
    start: float
    end: float
    is_logarithmic: bool = False

    def at(self, value: float) -> float:
        """Return the pixel of `value`; in the middle where both ends are one. No logarithm lies below the low end."""
        if self.high == self.low:
            share = 0.5
        elif self.is_logarithmic:
            share = math.log(max(value, self.low) / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def decades(self) -> list[float]:
        """Return the powers of ten from end to end of a logarithmic axis, whose ends are powers, too."""
        first, last = (round(math.log10(value)) for value in (self.low, self.high))
        return [10.0**power for power in range(first, last + 1)]

    def round_values(self, most: int = 7) -> list[float]:
        """Return 1, 2 and 5 of each decade inside a logarithmic axis, or decades alone where those are many."""
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        for steps in (_STEPS, _STEPS[:1]):
            every = (step * 10.0**power for power in powers for step in steps)
            values = [value for value in every if self.low <= value <= self.high]
            if len(values) <= most:
                return values
        return values[:: math.ceil(len(values) / most)]

    def even_values(self) -> list[float]:
        """Return three to seven values from 0 to the high end: 1, 2 or 5 times a power of ten apart."""
        most = self.high / 3
        power = 10.0 ** math.floor(math.log10(most))
        step = max(factor * power for factor in _STEPS if factor == 1 or factor * power <= most)
        return [step * number for number in range(math.floor(self.high / step * (1 + 1e-9)) + 1)]


@dataclass(frozen=True, slots=True)
class Shape:
    """One thing that is drawn: an element of SVG, its class for style sheets, its numbers, and the words in it."""

    tag: str
    kind: str
    numbers: Mapping[str, float | str]
    words: str = ""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A chart, in the pixels of its own: what is drawn, in this order, and the same in words."""

    title: str
    height: float
    shapes: tuple[Shape, ...]
    described: str
    note: str = ""
    """A sentence to stand beside it."""
    width: float = WIDTH


def line(kind: str, start: tuple[float, float], end: tuple[float, float]) -> Shape:
    """Return a straight line."""
    return Shape("line", kind, {"x1": start[0], "y1": start[1], "x2": end[0], "y2": end[1]})


def path(kind: str, points: Iterable[tuple[float, float]], tag: str = "polyline") -> Shape:
    """Return a line through some points, or the `polygon` between them."""
    return Shape(tag, kind, {"points": " ".join(f"{x:.1f},{y:.1f}" for x, y in points)})


def bar(kind: str, x: float, y: float, width: float, height: float = 16, title: str = "") -> Shape:
    """Return a bar that begins at `x`; `title` is what a pointer is told."""
    return Shape("rect", kind, {"x": x, "y": y, "width": width, "height": height, "rx": min(3, height / 5)}, title)


def dot(kind: str, x: float, y: float, radius: float = 2.5) -> Shape:
    """Return a dot."""
    return Shape("circle", kind, {"cx": x, "cy": y, "r": radius})


def words(kind: str, x: float, y: float, text: str, anchor: str = "start") -> Shape:
    """Return words that begin, end or have their middle at `x`; style sheets make a `value` stand out."""
    return Shape("text", kind, {"x": x, "y": y, "text-anchor": anchor}, text)


def columns(axis: Axis, values: Iterable[float], say: Callable[[float], str], height: float) -> Iterator[Shape]:
    """Yield the lines of an axis that runs across, with what they stand for below."""
    for value in values:
        x = axis.at(value)
        yield line("grid", (x, 0), (x, height - 24))
        yield words("", x, height - 8, say(value), "middle")


def rows(
    axis: Axis, values: Iterable[float], say: Callable[[float], str], left: float, right: float
) -> Iterator[Shape]:
    """Yield the lines of an axis that runs up, with what they stand for on their left."""
    for value in values:
        y = axis.at(value)
        yield line("grid", (left, y), (right, y))
        yield words("", left - 6, y + 4, say(value), "end")


def named_bars(axis: Axis, bars: Iterable[tuple[str, float, str, str]], top: float) -> tuple[list[Shape], float]:
    """Return bars below each other, each of name, value, kind and label, and how high they are together."""
    shapes, y = [], top
    for name, value, kind, label in bars:
        end = axis.at(value)
        shapes += [words("", axis.start - 10, y + 13, name, "end"), bar(kind, axis.start, y, end - axis.start)]
        shapes.append(words("value", end + 8, y + 13, label))
        y += BAR_HEIGHT
    return shapes, y - top


def whole_decades(shortest: float, longest: float, room: float = 1e-9) -> tuple[float, float]:
    """Return powers of ten between which values from `shortest` to `longest` lie; with `room`, none at the low one."""
    first = math.floor(math.log10(shortest) - room)
    return 10.0**first, 10.0 ** max(math.ceil(math.log10(longest)), first + 1)


def is_number(value: Any) -> bool:
    """Return whether `value` is a number that can be drawn; NaN is not."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _LARGEST


def is_positive(value: Any) -> bool:
    """Return whether `value` is a number that a logarithmic axis can show."""
    return is_number(value) and value > SHORTEST_S


def named_numbers(fact: Any, most: int, letters: int, least: float = 0.0) -> dict[str, float]:
    """Return at most so many numbers of a mapping, from `least` on, under names that can be shown; none of others."""
    named = list(fact.items())[:most] if isinstance(fact, Mapping) else ()
    return {printable(str(name), letters): float(value) for name, value in named if is_number(value) and value >= least}


def named_lists(fact: Any, most: int, letters: int) -> dict[str, list[Any]]:
    """Return at most so many lists of a mapping, whatever is in them, under names that can be shown."""
    named = fact.items() if isinstance(fact, Mapping) else ()
    lists = [(name, values) for name, values in named if isinstance(values, list | tuple)]
    return {printable(str(name), letters): list(values) for name, values in lists[:most]}
