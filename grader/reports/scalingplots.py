"""How a program scales: efficiency and simulated times over ranks, Amdahl's law, and what ranks called over time."""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any

from grader.model import Result, printable
from grader.reports.figure import (
    SHORTEST_S,
    WIDTH,
    Axis,
    Drawing,
    Shape,
    bar,
    columns,
    dot,
    is_number,
    line,
    named_numbers,
    path,
    rows,
    words,
)
from grader.reports.story import seconds_text

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
        printable(str(name), 24): [
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


SHARES_FACT = "parallel_parts_percent"
BOUNDS_FACT, MEASURED_FACT = "speedup_bounds", "speedup_measured"
_MAX_PARTS = _MAX_BARS = 6
BARS_LEFT, _BARS_RIGHT, _BAR_HEIGHT = 170, 90, 26
_PARTS_ACROSS, _PARTS_TOP = 3, 40
_LETTERS = 26


def amdahl(result: Result) -> Drawing | None:
    """Return the parts as pieces of a bar, `None` where the facts hold no shares that add up to at most the whole."""
    shares = named_numbers(result.observation.facts.get(SHARES_FACT), _MAX_PARTS, _LETTERS)
    if not shares or sum(shares.values()) > _WHOLE + 1 or not sum(shares.values()):
        return None
    rest = max(_WHOLE - sum(shares.values()), 0.0)
    names = [f"{name} {share:.3g} %" for name, share in (*shares.items(), ("not parallel", rest))]
    ends = list(accumulate((*shares.values(), rest), initial=0.0))
    scale, shapes = WIDTH / ends[-1], []
    for place, (name, left, right) in enumerate(zip(names, ends, ends[1:], strict=False)):
        kind = f"part-{place}" if place < len(shares) else "rest"
        x, y = place % _PARTS_ACROSS * WIDTH / _PARTS_ACROSS, _PARTS_TOP + place // _PARTS_ACROSS * _LEGEND_HEIGHT
        shapes.append(bar(kind, left * scale, 4, (right - left) * scale, 18))
        shapes += [bar(kind, x, y - 10, 11, 11), words("", x + 17, y, name)]
    height = _PARTS_TOP + _LEGEND_HEIGHT * -(-len(names) // _PARTS_ACROSS)
    return Drawing("What can run in parallel", height, tuple(shapes), "Parts of the time: " + ", ".join(names))


def bounds(result: Result) -> Drawing | None:
    """Return a bar for each bound of the law, and one for what was measured, from 0 on; `None` without any parts."""
    facts = result.observation.facts
    allowed = named_numbers(facts.get(BOUNDS_FACT), _MAX_BARS, _LETTERS)
    measured = named_numbers({"measured on the GPU": facts.get(MEASURED_FACT)}, 1, _LETTERS)
    longest = max((*allowed.values(), *measured.values()), default=0.0)
    if not longest or amdahl(result) is None:
        return None
    drawn = [(name, value, "bound", f"at most {value:.3g}") for name, value in allowed.items()]
    drawn += [(name, value, "time", f"{value:.3g}") for name, value in measured.items()]
    shapes = []
    for row, (name, value, kind, label) in enumerate(drawn):
        y, width = _BAR_HEIGHT * row, (WIDTH - BARS_LEFT - _BARS_RIGHT) * value / longest
        shapes += [words("", BARS_LEFT - 10, y + 17, name, "end"), bar(kind, BARS_LEFT, y + 4, width)]
        shapes.append(words("value", BARS_LEFT + width + 8, y + 17, label))
    described = "Times as fast: " + ", ".join(f"{name} {label}" for name, _value, _kind, label in drawn)
    title = "How many times as fast it can become, by Amdahl's law"
    return Drawing(title, _BAR_HEIGHT * len(drawn) + 4, tuple(shapes), described)


CALLS_FACT = "calls_of_ranks"
_LANE_HEIGHT, _BAR = 34, 14
_LANES_LEFT, _LANES_RIGHT, _LANES_TOP = 56, 14, 6
_MAX_RANKS, _MAX_CALLS = 64, 200
_NARROWEST = 2.0


def space_time(result: Result) -> Drawing | None:
    """Return the drawing of `calls_of_ranks`, `None` where there is none or it has another form."""
    fact = result.observation.facts.get(CALLS_FACT)
    if not isinstance(fact, Mapping) or not is_number(fact.get("ranks")):
        return None
    ranks = min(int(fact["ranks"]), _MAX_RANKS)
    calls = [row for row in _rows(fact.get("calls"), 5) if all(map(is_number, row[:3])) and 0 <= row[0] < ranks]
    if not calls:
        return None
    end_ms = max(max(row[1], row[2]) for row in calls) * 1.04 + 0.1
    across, height = Axis(0.0, end_ms, _LANES_LEFT, WIDTH - _LANES_RIGHT), _LANES_TOP + _LANE_HEIGHT * ranks + 26

    def y_of(rank: float) -> float:
        return _LANES_TOP + _LANE_HEIGHT * rank + _LANE_HEIGHT / 2

    shapes = [*columns(across, [end_ms * part / 4 for part in range(4)], lambda value: f"{value:.3g} ms", height)]
    for rank in range(ranks):
        shapes.append(words("", _LANES_LEFT - 8, y_of(rank) + 4, f"rank {rank}", "end"))
        shapes.append(line("middle", (_LANES_LEFT, y_of(rank)), (WIDTH - _LANES_RIGHT, y_of(rank))))
    shapes += [_span(row, across, y_of(row[0])) for row in calls]
    messages = [row for row in _rows(fact.get("messages"), 4) if all(map(is_number, row)) and row[3] >= 0]
    shapes += [
        line("message", (across.at(row[1]), y_of(row[0])), (across.at(row[3]), y_of(row[2]))) for row in messages
    ]
    title = "Calls of each rank over time, and messages between them"
    return Drawing(title, height, tuple(shapes), _describe(calls, len(messages), ranks))


def _rows(value: Any, length: int) -> list[Sequence[Any]]:
    rows = value if isinstance(value, list | tuple) else ()
    return [row for row in rows[:_MAX_CALLS] if isinstance(row, list | tuple) and len(row) == length]


def _is_stuck(row: Sequence[Any]) -> bool:
    """Return whether a call did not end; one that only begins something need not."""
    return bool(row[2] < 0 and str(row[3])[:1] not in "Ii")


def _span(row: Sequence[Any], across: Axis, y: float) -> Shape:
    begin_ms, stuck = float(row[1]), _is_stuck(row)
    x = across.at(begin_ms)
    width = across.at(across.high if stuck else max(float(row[2]), begin_ms)) - x
    label = f"{printable(str(row[3]), 24)} {printable(str(row[4]), 80)}{', which did not end' if stuck else ''}"
    return bar("call stuck" if stuck else "call", x, y - _BAR / 2, max(width, _NARROWEST), _BAR, label)


def _describe(calls: Sequence[Sequence[Any]], messages: int, ranks: int) -> str:
    stuck = [f"rank {row[0]} in {printable(str(row[3]), 24)}" for row in calls if _is_stuck(row)]
    ends = f"; without an end: {', '.join(stuck)}" if stuck else ""
    return f"{len(calls)} calls of {ranks} ranks over time, {messages} messages between them{ends}"
