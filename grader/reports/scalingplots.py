"""Lines over the number of ranks: efficiency as measured and as predicted, and simulated times of many ranks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from grader.model import Result
from grader.reports.figure import SHORTEST_S, WIDTH, Axis, Drawing, Shape, dot, is_number, path, rows, words
from grader.reports.story import clean, seconds_text

EFFICIENCY_FACT, SIMULATION_FACT = "efficiency_percent", "simulated_step_s"
HEIGHT = 236
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 20, 16, 84
_LEGEND_ACROSS, _LEGEND_HEIGHT = 2, 20
_MAX_LINES, _MAX_POINTS = 4, 16
_WHOLE = 100.0
Curves = dict[str, list[float | None]]


def efficiency(result: Result) -> Drawing | None:
    """Return the lines of `efficiency_percent`, from 0 % up; `None` where there are none."""
    named = _read(result.observation.facts.get(EFFICIENCY_FACT))
    if named is None:
        return None
    ranks, curves = named
    high = max(_WHOLE, *(value for values in curves.values() for value in values if value is not None))
    up = Axis(0.0, high, HEIGHT - _BOTTOM, _TOP)
    quarters = [part / 4 * _WHOLE for part in range(5)]
    grid = rows(up, quarters, lambda value: f"{value:g} %", _LEFT, WIDTH - _RIGHT)
    title = "Efficiency over the number of ranks: speed-up divided by ranks"
    described = _tell(curves, "Efficiency", "{:.3g} %")
    return Drawing(title, HEIGHT, (*grid, *_draw(ranks, curves, up)), described)


def simulation(result: Result) -> Drawing | None:
    """Return the lines of `simulated_step_s` on a logarithmic scale; `None` where there are none."""
    named = _read(result.observation.facts.get(SIMULATION_FACT))
    if named is None:
        return None
    ranks, curves = named
    shown = {
        name: [None if value is None else max(value, SHORTEST_S) for value in values] for name, values in curves.items()
    }
    powers = [math.log10(value) for values in shown.values() for value in values if value is not None]
    low, high = math.floor(min(powers)), math.ceil(max(powers))
    up = Axis(10.0**low, 10.0 ** max(high, low + 1), HEIGHT - _BOTTOM, _TOP, is_logarithmic=True)
    grid = rows(up, up.decades(), seconds_text, _LEFT, WIDTH - _RIGHT)
    title = "Simulation, not measured: time of one step on many ranks, by the α-β model (logarithmic scale)"
    described = _tell(curves, "Simulated seconds of a step", "{:.3g}")
    return Drawing(title, HEIGHT, (*grid, *_draw(ranks, shown, up)), described)


def _read(fact: Any) -> tuple[list[int], Curves] | None:
    """Return numbers of ranks and name -> values, None where some have no value; nothing if they have another form."""
    if not isinstance(fact, Mapping) or not isinstance(fact.get("ranks"), list | tuple):
        return None
    ranks = [int(value) for value in fact["ranks"][:_MAX_POINTS] if is_number(value) and value > 0]
    lists = [(name, values) for name, values in fact.items() if name != "ranks" and isinstance(values, list | tuple)]
    curves = {
        clean(str(name), 24): [
            float(value) if is_number(value) and value >= 0 else None for value in values[: len(ranks)]
        ]
        for name, values in lists[:_MAX_LINES]
    }
    known = {name: values for name, values in curves.items() if any(value is not None for value in values)}
    return (ranks, known) if ranks and known else None


def _draw(ranks: list[int], curves: Curves, up: Axis) -> Iterable[Shape]:
    """Yield values over the numbers of ranks, which stand side by side, and what the lines are."""
    across = Axis(0, max(len(ranks) - 1, 1), _LEFT + 20, WIDTH - _RIGHT - 20)
    for place, count in enumerate(ranks):
        label = f"{count} ranks" if place == 0 and count > 1 else str(count)
        yield words("", across.at(place), HEIGHT - _BOTTOM + 20, label, "middle")
    for number, (name, values) in enumerate(curves.items()):
        points = [(across.at(place), up.at(value)) for place, value in enumerate(values) if value is not None]
        yield path(f"line-{number}", points)
        yield from (dot("point", x, y) for x, y in points)
        x = _LEFT + (WIDTH - _LEFT) / _LEGEND_ACROSS * (number % 2)
        y = HEIGHT - 26 + _LEGEND_HEIGHT * (number // 2)
        yield path(f"line-{number}", [(x, y - 4), (x + 22, y - 4)])
        yield words("", x + 27, y, name)


def _tell(curves: Curves, what: str, form: str) -> str:
    lines = (
        f"{name} {', '.join(form.format(value) for value in values if value is not None)}"
        for name, values in curves.items()
    )
    return f"{what} by number of ranks: {'; '.join(lines)}"
