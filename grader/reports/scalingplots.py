"""Lines over the number of ranks: efficiency as measured and as predicted, and simulated times of many ranks."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from grader.model import Result
from grader.reports.figure import SHORTEST_S, WIDTH, Axis, Mark, is_number
from grader.reports.story import clean, seconds_text

EFFICIENCY_FACT, SIMULATION_FACT = "efficiency_percent", "simulated_step_s"
HEIGHT = 236
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 20, 16, 84
_LEGEND_ACROSS, _LEGEND_HEIGHT = 2, 20
_MAX_LINES, _MAX_POINTS = 4, 16
_WHOLE = 100.0


@dataclass(frozen=True, slots=True)
class Line:
    """One way of training, or of predicting it."""

    marks: tuple[Mark, ...]
    """From left to right; a label is the value in words."""
    legend: Mark

    @property
    def path(self) -> str:
        """The polyline's `points` attribute."""
        return " ".join(f"{mark.x:.1f},{mark.y:.1f}" for mark in self.marks)


@dataclass(frozen=True, slots=True)
class Lines:
    """Some lines above the same numbers of ranks, in the SVG's pixels."""

    lines: tuple[Line, ...]
    ranks: tuple[Mark, ...]
    grid: tuple[Mark, ...]
    described: str
    height: int = HEIGHT
    left: int = _LEFT
    right: int = WIDTH - _RIGHT


def efficiency(result: Result) -> Lines | None:
    """Return the lines of `efficiency_percent`, from 0 % up; `None` where there are none."""
    named = _read(result.observation.facts.get(EFFICIENCY_FACT))
    if named is None:
        return None
    ranks, curves = named
    high = max(_WHOLE, *(value for values in curves.values() for value in values if value is not None))
    up = Axis(0.0, high, HEIGHT - _BOTTOM, _TOP)
    grid = [(part / 4 * _WHOLE, f"{part / 4 * _WHOLE:g} %") for part in range(5)]
    return _draw(ranks, curves, up, grid, _tell(curves, "Efficiency", "{:.3g} %"))


def simulation(result: Result) -> Lines | None:
    """Return the lines of `simulated_step_s` on a logarithmic scale; `None` where there are none."""
    named = _read(result.observation.facts.get(SIMULATION_FACT))
    if named is None:
        return None
    ranks, curves = named
    shown = {name: [None if one is None else max(one, SHORTEST_S) for one in values] for name, values in curves.items()}
    powers = [math.log10(one) for values in shown.values() for one in values if one is not None]
    low, high = math.floor(min(powers)), math.ceil(max(powers))
    up = Axis(10.0**low, 10.0 ** max(high, low + 1), HEIGHT - _BOTTOM, _TOP, is_logarithmic=True)
    grid = [(value, seconds_text(value)) for value in up.decades()]
    return _draw(ranks, shown, up, grid, _tell(curves, "Simulated seconds of a step", "{:.3g}"))


Curves = dict[str, list[float | None]]


def _read(fact: Any) -> tuple[list[int], Curves] | None:
    """Return numbers of ranks and name -> values, None where some have no value; nothing if they have another form."""
    if not isinstance(fact, Mapping) or not isinstance(fact.get("ranks"), list | tuple):
        return None
    ranks = [int(one) for one in fact["ranks"][:_MAX_POINTS] if is_number(one) and one > 0]
    rows = [(name, values) for name, values in fact.items() if name != "ranks" and isinstance(values, list | tuple)]
    curves = {
        clean(str(name), 24): [float(one) if is_number(one) and one >= 0 else None for one in values[: len(ranks)]]
        for name, values in rows[:_MAX_LINES]
    }
    known = {name: values for name, values in curves.items() if any(one is not None for one in values)}
    return (ranks, known) if ranks and known else None


def _draw(ranks: list[int], curves: Curves, up: Axis, grid: list[tuple[float, str]], described: str) -> Lines:
    """Return the drawing of values over the numbers of ranks, side by side."""
    across = Axis(0, max(len(ranks) - 1, 1), _LEFT + 20, WIDTH - _RIGHT - 20)
    column = (WIDTH - _LEFT) / _LEGEND_ACROSS
    lines = (
        Line(
            tuple(Mark(across.at(place), up.at(one), name) for place, one in enumerate(values) if one is not None),
            Mark(_LEFT + column * (number % 2), HEIGHT - 26 + _LEGEND_HEIGHT * (number // 2), name),
        )
        for number, (name, values) in enumerate(curves.items())
    )
    return Lines(
        lines=tuple(lines),
        ranks=tuple(
            Mark(across.at(place), HEIGHT - _BOTTOM + 20, f"{count} ranks" if place == 0 and count > 1 else str(count))
            for place, count in enumerate(ranks)
        ),
        grid=tuple(Mark(_LEFT, up.at(value), label) for value, label in grid),
        described=described,
    )


def _tell(curves: Curves, what: str, form: str) -> str:
    told = (
        f"{name} {', '.join(form.format(one) for one in values if one is not None)}" for name, values in curves.items()
    )
    return f"{what} by number of ranks: {'; '.join(told)}"
