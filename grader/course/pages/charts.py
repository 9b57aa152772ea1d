"""A class in numbers, and as coordinates for the templates: scores, checks, speed-ups."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from grader.model import Criterion, Outcome, Report, Rubric
from grader.reports import speedplots
from grader.reports.figure import Axis

BINS = 20
HEIGHT, LEFT, BOTTOM, TOP = 190, 34, 26, 14
WIDTH = 640
_DOTS_HEIGHT = 120
_MOST_DOTS = 2000


@dataclass(frozen=True, slots=True)
class Bar:
    """One bin of the histogram: how many, and the heights of its two parts in pixels."""

    x: float
    width: float
    sure: float
    open: float
    count: int
    label: str


@dataclass(frozen=True, slots=True)
class Histogram:
    """Scores of a class: what is sure in one colour, provisional lower ends in another."""

    bars: tuple[Bar, ...]
    ticks: tuple[tuple[float, str], ...]
    middle: float | None
    middle_x: float
    highest: int
    described: str
    width: int = WIDTH
    height: int = HEIGHT
    ground: int = HEIGHT - BOTTOM


@dataclass(frozen=True, slots=True)
class Rate:
    """How one check ended over the class, in percent of those that ran it."""

    row: Criterion
    passed: float
    failed: float
    skipped: float
    open: float
    is_suspicious: bool
    """Whether so many fail, or so often our side fails, that the check itself should be looked at."""


@dataclass(frozen=True, slots=True)
class Speeds:
    """Measured ratios of a class for one check, each a dot on a logarithmic axis, with the bound."""

    check: str
    dots: tuple[tuple[float, float, bool], ...]
    """x, y, and whether the whole interval reaches the bound."""
    bound_x: float
    bound: float
    ticks: tuple[tuple[float, str], ...]
    described: str
    width: int = WIDTH
    height: int = _DOTS_HEIGHT


def histogram(reports: Sequence[Report], total: float) -> Histogram:
    """Return the distribution of the lower ends of the scores, in twenty bins."""
    scores = [(report.score_low, report.provisional) for report in reports]
    bins = Counter((_bin(score, total), is_open) for score, is_open in scores)
    highest = max((bins[i, False] + bins[i, True] for i in range(BINS)), default=0) or 1
    step, room = (WIDTH - LEFT) / BINS, HEIGHT - BOTTOM - TOP
    bars = (
        Bar(
            x=LEFT + i * step + 1.5,
            width=step - 3,
            sure=room * bins[i, False] / highest,
            open=room * bins[i, True] / highest,
            count=bins[i, False] + bins[i, True],
            label=f"{i * total / BINS:g} to {(i + 1) * total / BINS:g}",
        )
        for i in range(BINS)
    )
    middle = median(score for score, _ in scores) if scores else None
    return Histogram(
        bars=tuple(bars),
        ticks=tuple((LEFT + i * step, f"{i * total / BINS:g}") for i in range(0, BINS + 1, 4)),
        middle=middle,
        middle_x=LEFT + (middle or 0) / (total or 1) * (WIDTH - LEFT),
        highest=highest,
        described=f"Scores of {len(scores)} hand-ins" + (f", median {middle:g} of {total:g}" if scores else ""),
    )


def _bin(score: float, total: float) -> int:
    return max(0, min(BINS - 1, math.floor(BINS * score / total))) if total else 0


def rates(reports: Sequence[Report], rubric: Rubric) -> tuple[Rate, ...]:
    """Return how each check ended over the class, in the rubric's order; refused hand-ins ran none."""
    ran = [report for report in reports if not report.evidence.refusal]
    outcomes = {row.id: Counter[Outcome]() for row in rubric.criteria}
    for report in ran:
        for result in report.results:
            outcomes[result.criterion.id][result.outcome] += 1
    return tuple(_rate(row, outcomes[row.id]) for row in rubric.criteria)


def _rate(row: Criterion, seen: Counter[Outcome]) -> Rate:
    count = seen.total()
    share = {outcome: 100 * seen[outcome] / count if count else 0.0 for outcome in Outcome}
    return Rate(
        row=row,
        passed=share[Outcome.PASSED],
        failed=share[Outcome.FAILED],
        skipped=share[Outcome.SKIPPED],
        open=sum(share[outcome] for outcome in Outcome if outcome.is_open),
        is_suspicious=share[Outcome.FAILED] > 50 or share[Outcome.ERROR] > 5,  # noqa: PLR2004 - percent
    )


def speeds(reports: Sequence[Report]) -> tuple[Speeds, ...]:
    """Return one chart for each check that bounds a measured interval and has been measured."""
    found: dict[str, list[tuple[float, float, float]]] = {}
    for report in reports:
        for result in report.results:
            if ends := speedplots.interval_ends(result):
                found.setdefault(result.criterion.id, []).append(ends)
    return tuple(_speeds(check, ends) for check, ends in found.items())


def _speeds(check: str, ends: Sequence[tuple[float, float, float]]) -> Speeds:
    middles = [math.sqrt(low * high) for low, high, _bound in ends]
    bound = ends[0][2]
    axis = Axis(min(*middles, bound) / 1.3, max(*middles, bound) * 1.3, LEFT, WIDTH - 12, is_logarithmic=True)
    dots = (
        (axis.at(middle), 22 + (i * 37 % 61), low >= limit)
        for i, (middle, (low, _high, limit)) in enumerate(zip(middles, ends, strict=True))
    )
    reached = sum(low >= limit for low, _high, limit in ends)
    return Speeds(
        check=check,
        dots=tuple(dots)[:: math.ceil(len(ends) / _MOST_DOTS)],
        bound_x=axis.at(bound),
        bound=bound,
        ticks=tuple((axis.at(value), f"{value:g}") for value in axis.round_values()),
        described=f"{len(ends)} measured, median {median(middles):.3g}; {reached} reach {bound:g} for certain",
    )
