"""The plot of Amdahl's law: which parts can run in parallel, what that allows at most, and what was measured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from grader.model import Result
from grader.reports.figure import WIDTH, Mark, named_numbers

SHARES_FACT = "parallel_parts_percent"
BOUNDS_FACT, MEASURED_FACT = "speedup_bounds", "speedup_measured"
_MAX_PARTS, _MAX_BARS = 6, 6
_BARS_LEFT, _BARS_RIGHT = 170, 90
_LEGEND_ACROSS, _LEGEND_HEIGHT, _LEGEND_TOP = 3, 20, 40
_WHOLE, _LETTERS = 100.0, 26


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the program's time: a piece of the bar, and its line in the legend."""

    left: float
    width: float
    """Both in pixels."""
    legend: Mark
    is_parallel: bool


@dataclass(frozen=True, slots=True)
class Bar:
    """How many times as fast: what the law allows with so many cores, or what was measured."""

    name: str
    width: float
    """In pixels, from `Amdahl.left`."""
    value: str
    is_bound: bool


@dataclass(frozen=True, slots=True)
class Amdahl:
    """The parts of the whole time side by side, and bars for the bounds and what was measured."""

    parts: tuple[Part, ...]
    bars: tuple[Bar, ...]
    described: str
    compared: str
    """What the bars say, in words."""
    left: int = _BARS_LEFT

    @property
    def height(self) -> int:
        """Height of the parts' drawing in pixels."""
        return _LEGEND_TOP + _LEGEND_HEIGHT * -(-len(self.parts) // _LEGEND_ACROSS)


def amdahl(result: Result) -> Amdahl | None:
    """Return the plot, `None` where the facts hold no shares that add up to at most the whole."""
    facts = result.observation.facts
    shares = named_numbers(facts.get(SHARES_FACT), _MAX_PARTS, _LETTERS)
    if not shares or sum(shares.values()) > _WHOLE + 1 or not sum(shares.values()):
        return None
    rest = max(_WHOLE - sum(shares.values()), 0.0)
    names = [f"{name} {share:.3g} %" for name, share in (*shares.items(), ("not parallel", rest))]
    ends = list(accumulate((*shares.values(), rest), initial=0.0))
    scale = WIDTH / ends[-1]
    bars = tuple(_bars(facts))
    return Amdahl(
        parts=tuple(
            Part(left * scale, (right - left) * scale, _legend(place, name), place < len(shares))
            for place, (name, left, right) in enumerate(zip(names, ends, ends[1:], strict=False))
        ),
        bars=bars,
        described="Parts of the time: " + ", ".join(names),
        compared="Times as fast: " + ", ".join(f"{bar.name} {bar.value}" for bar in bars),
    )


def _legend(place: int, name: str) -> Mark:
    row, column = divmod(place, _LEGEND_ACROSS)
    return Mark(column * WIDTH / _LEGEND_ACROSS, _LEGEND_TOP + row * _LEGEND_HEIGHT, name)


def _bars(facts: Mapping[str, Any]) -> Iterator[Bar]:
    """Yield a bar for each bound, and one for what was measured, from 0 to the largest."""
    bounds = named_numbers(facts.get(BOUNDS_FACT), _MAX_BARS, _LETTERS)
    measured = named_numbers({"measured on the GPU": facts.get(MEASURED_FACT)}, 1, _LETTERS)
    longest = max((*bounds.values(), *measured.values()), default=0.0)
    if not longest:
        return
    scale = (WIDTH - _BARS_LEFT - _BARS_RIGHT) / longest
    for name, value in bounds.items():
        yield Bar(name, scale * value, f"at most {value:.3g}", is_bound=True)
    for name, value in measured.items():
        yield Bar(name, scale * value, f"{value:.3g}", is_bound=False)
