"""What the ranks of an MPI program called, as ranks × time: a bar for each call, a line for each message."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grader.model import Result
from grader.reports.figure import WIDTH, Axis, Mark, is_number
from grader.reports.story import clean

CALLS_FACT = "calls_of_ranks"
_LANE_HEIGHT, _BAR = 34, 14
_LEFT, _RIGHT, _TOP = 56, 14, 6
_MAX_RANKS, _MAX_CALLS = 64, 200
_NARROWEST = 2.0


@dataclass(frozen=True, slots=True)
class Span:
    """One call: a bar from `x` on, `width` long."""

    x: float
    y: float
    width: float
    label: str
    is_stuck: bool
    """Whether it did not end."""


@dataclass(frozen=True, slots=True)
class SpaceTime:
    """The drawing, in the SVG's pixels."""

    lanes: tuple[Mark, ...]
    spans: tuple[Span, ...]
    messages: tuple[tuple[float, float, float, float], ...]
    grid: tuple[Mark, ...]
    described: str
    right: int = WIDTH - _RIGHT

    @property
    def height(self) -> int:
        """Height of the drawing in pixels."""
        return _TOP + _LANE_HEIGHT * len(self.lanes) + 26


def space_time(result: Result) -> SpaceTime | None:
    """Return the drawing of `calls_of_ranks`, `None` where there is none or it has another form."""
    fact = result.observation.facts.get(CALLS_FACT)
    if not isinstance(fact, Mapping) or not is_number(fact.get("ranks")):
        return None
    ranks = min(int(fact["ranks"]), _MAX_RANKS)
    calls = [row for row in _rows(fact.get("calls"), 5) if all(map(is_number, row[:3])) and 0 <= row[0] < ranks]
    if not calls:
        return None
    end_ms = max(max(row[1], row[2]) for row in calls) * 1.04 + 0.1

    x_of = Axis(0.0, end_ms, _LEFT, WIDTH - _RIGHT).at

    def y_of(rank: float) -> float:
        return _TOP + _LANE_HEIGHT * rank + _LANE_HEIGHT / 2

    messages = [row for row in _rows(fact.get("messages"), 4) if all(map(is_number, row)) and row[3] >= 0]
    return SpaceTime(
        lanes=tuple(Mark(_LEFT - 8, y_of(rank), f"rank {rank}") for rank in range(ranks)),
        spans=tuple(_span(row, x_of, y_of(row[0]), end_ms) for row in calls),
        messages=tuple((x_of(row[1]), y_of(row[0]), x_of(row[3]), y_of(row[2])) for row in messages),
        grid=tuple(Mark(x_of(end_ms * part / 4), 0, f"{end_ms * part / 4:.3g} ms") for part in range(4)),
        described=_describe(calls, len(messages), ranks),
    )


def _rows(value: Any, length: int) -> list[Sequence[Any]]:
    rows = value if isinstance(value, list | tuple) else ()
    return [row for row in rows[:_MAX_CALLS] if isinstance(row, list | tuple) and len(row) == length]


def _span(row: Sequence[Any], x_of: Any, y: float, end_ms: float) -> Span:
    begin_ms, done_ms = float(row[1]), float(row[2])
    has_begun_only = str(row[3]).startswith(("I", "i"))
    is_stuck = done_ms < 0 and not has_begun_only
    x = x_of(begin_ms)
    width = x_of(end_ms if is_stuck else max(done_ms, begin_ms)) - x
    label = f"{clean(str(row[3]), 24)} {clean(str(row[4]), 80)}{', which did not end' if is_stuck else ''}"
    return Span(x, y - _BAR / 2, max(width, _NARROWEST), label, is_stuck)


def _describe(calls: Sequence[Sequence[Any]], messages: int, ranks: int) -> str:
    stuck = [
        f"rank {row[0]} in {clean(str(row[3]), 24)}" for row in calls if row[2] < 0 and str(row[3])[:1] not in "Ii"
    ]
    ends = f"; without an end: {', '.join(stuck)}" if stuck else ""
    return f"{len(calls)} calls of {ranks} ranks over time, {messages} messages between them{ends}"
