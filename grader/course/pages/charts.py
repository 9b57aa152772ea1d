"""A class in numbers, and as coordinates for the templates: scores, checks, speed-ups."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from grader.model import Criterion, Outcome, Report, Rubric
from grader.reports import plots
from grader.reports.figure import Axis, Drawing, bar, columns, dot, line, words

BINS = 20
HEIGHT, LEFT, BOTTOM, TOP = 190, 34, 26, 14
WIDTH = 640
_DOTS_HEIGHT = 120
_MOST_DOTS = 2000


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


def histogram(reports: Sequence[Report], total: float) -> Drawing:
    """Return the lower ends of the scores in twenty bins: what is sure in one colour, what is open in another."""
    scores = [(report.score_low, report.provisional) for report in reports]
    bins: Counter[tuple[int, bool]] = Counter()
    for score, is_open in scores:
        bins[max(0, min(BINS - 1, math.floor(BINS * score / total))) if total else 0, is_open] += 1
    highest = max((bins[i, False] + bins[i, True] for i in range(BINS)), default=0) or 1
    step, ground = (WIDTH - LEFT) / BINS, HEIGHT - BOTTOM
    shapes = [words("", LEFT - 6, TOP + 4, str(highest), "end"), words("", LEFT - 6, ground, "0", "end")]
    for i in range(BINS):
        sure, unsure = ((ground - TOP) * bins[i, is_open] / highest for is_open in (False, True))
        label = f"{i * total / BINS:g} to {(i + 1) * total / BINS:g}: {bins[i, False] + bins[i, True]}"
        shapes.append(bar("sure", LEFT + i * step + 1.5, ground - sure, step - 3, sure))
        shapes.append(bar("unsure", LEFT + i * step + 1.5, ground - sure - unsure, step - 3, unsure, label))
    shapes.append(line("grid", (LEFT, ground), (WIDTH, ground)))
    for i in range(0, BINS + 1, 4):
        anchor = "end" if i == BINS else "middle"
        shapes.append(words("", LEFT + i * step, ground + 17, f"{i * total / BINS:g}", anchor))
    middle = f"median {median(score for score, _ in scores):g} of {total:g}" if scores else ""
    if scores:
        x = LEFT + median(score for score, _ in scores) / (total or 1) * (WIDTH - LEFT)
        shapes.append(line("middle", (x, 4), (x, ground)))
    described = ", ".join(filter(None, [f"Scores of {len(scores)} hand-ins", middle]))
    return Drawing(middle, HEIGHT, tuple(shapes), described, width=WIDTH)


def rates(reports: Sequence[Report], rubric: Rubric) -> tuple[Rate, ...]:
    """Return how each check ended over the class, in the rubric's order; refused hand-ins ran none."""
    ran = [report for report in reports if not report.evidence.refusal]
    outcomes = {row.id: Counter[Outcome]() for row in rubric.criteria}
    for report in ran:
        for result in report.results:
            outcomes[result.criterion.id][result.outcome] += 1
    return tuple(_rate(row, outcomes[row.id]) for row in rubric.criteria)


def _rate(row: Criterion, counts: Counter[Outcome]) -> Rate:
    total = counts.total()
    share = {outcome: 100 * counts[outcome] / total if total else 0.0 for outcome in Outcome}
    return Rate(
        row=row,
        passed=share[Outcome.PASSED],
        failed=share[Outcome.FAILED],
        skipped=share[Outcome.SKIPPED],
        open=sum(share[outcome] for outcome in Outcome if outcome.is_open),
        is_suspicious=share[Outcome.FAILED] > 50 or share[Outcome.ERROR] > 5,  # noqa: PLR2004 - percent
    )


def speeds(reports: Sequence[Report]) -> tuple[Drawing, ...]:
    """Return one chart for each check that bounds a measured interval and has been measured."""
    ends_of: dict[str, list[tuple[float, float, float]]] = {}
    for report in reports:
        for result in report.results:
            if ends := plots.interval_ends(result):
                ends_of.setdefault(result.criterion.id, []).append(ends)
    return tuple(_speeds(check, ends) for check, ends in ends_of.items())


def _speeds(check: str, ends: Sequence[tuple[float, float, float]]) -> Drawing:
    """Return the ratios of a class, each a dot on a logarithmic axis, with the bound."""
    middles, bound = [math.sqrt(low * high) for low, high, _bound in ends], ends[0][2]
    axis = Axis(min(*middles, bound) / 1.3, max(*middles, bound) * 1.3, LEFT, WIDTH - 12, is_logarithmic=True)
    dots = [
        dot("dot reached" if low >= limit else "dot", axis.at(middle), 22 + (i * 37 % 61), 3)
        for i, (middle, (low, _high, limit)) in enumerate(zip(middles, ends, strict=True))
    ]
    x, ground = axis.at(bound), _DOTS_HEIGHT - 24
    shapes = (
        *columns(axis, axis.round_values(), "{:g}".format, _DOTS_HEIGHT),
        *dots[:: math.ceil(len(dots) / _MOST_DOTS)],
        *(line("needed", (x, 4), (x, ground)), words("bound", x + 5, 12, f"{bound:g} needed")),
    )
    reached = sum(low >= limit for low, _high, limit in ends)
    note = f"{len(ends)} measured, median {median(middles):.3g}; {reached} reach {bound:g} for certain"
    return Drawing(check, _DOTS_HEIGHT, shapes, f"{check}: {note}", note, WIDTH)
