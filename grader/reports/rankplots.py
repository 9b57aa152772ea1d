"""What the ranks of an MPI program called, as ranks × time: a bar for each call, a line for each message."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grader.model import Result
from grader.reports.figure import WIDTH, Axis, Drawing, Shape, bar, columns, is_number, line, words
from grader.reports.story import clean

CALLS_FACT = "calls_of_ranks"
_LANE_HEIGHT, _BAR = 34, 14
_LEFT, _RIGHT, _TOP = 56, 14, 6
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
    across, height = Axis(0.0, end_ms, _LEFT, WIDTH - _RIGHT), _TOP + _LANE_HEIGHT * ranks + 26

    def y_of(rank: float) -> float:
        return _TOP + _LANE_HEIGHT * rank + _LANE_HEIGHT / 2

    shapes = [*columns(across, [end_ms * part / 4 for part in range(4)], lambda value: f"{value:.3g} ms", height)]
    for rank in range(ranks):
        shapes.append(words("", _LEFT - 8, y_of(rank) + 4, f"rank {rank}", "end"))
        shapes.append(line("middle", (_LEFT, y_of(rank)), (WIDTH - _RIGHT, y_of(rank))))
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
    label = f"{clean(str(row[3]), 24)} {clean(str(row[4]), 80)}{', which did not end' if stuck else ''}"
    return bar("call stuck" if stuck else "call", x, y - _BAR / 2, max(width, _NARROWEST), _BAR, label)


def _describe(calls: Sequence[Sequence[Any]], messages: int, ranks: int) -> str:
    stuck = [f"rank {row[0]} in {clean(str(row[3]), 24)}" for row in calls if _is_stuck(row)]
    ends = f"; without an end: {', '.join(stuck)}" if stuck else ""
    return f"{len(calls)} calls of {ranks} ranks over time, {messages} messages between them{ends}"
