"""Pages about a whole batch, for staff; they are functions of what the disk has, and compute no score.

`index.html` shows the class at a glance: scores, checks, speed-ups, and one row per student that the browser sorts and
filters. `similarity.html` lists pairs of hand-ins that are alike in structure, with a page for each, side by side.
"""

import math
import shutil
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import quote

from grader.course.grades.graded import BatchResults, Row, load_batch, sheet_rows
from grader.course.model import Store, write_record
from grader.course.similarity import Likeness, Pair, read_likeness
from grader.errors import GraderError
from grader.intake.disk import write_atomically
from grader.model import Criterion, LateRule, Outcome, Report, Rubric
from grader.reports import plots, story
from grader.reports.figure import Axis, Drawing, bar, columns, dot, line, words
from grader.reports.html import render_page
from grader.reports.listing import shown_lines
from grader.scoring.marks import late_text

_PAIRS_SHOWN = 10
FILTERS = {
    "flagged": "flagged",
    "provisional": "provisional",
    "inconclusive": "undecided",
    "error": "grader error",
    "refused": "refused",
    "absent": "without a report",
}
"""Tag of a row -> the words of its filter."""


def render_index(results: BatchResults, likeness: Likeness | None = None, progress: str = "") -> str:
    """Return the page of a batch.

    `progress` says how far the batch is, while it runs; such a page loads itself again every few seconds.
    """
    reports = [graded.report for graded in results.graded if not graded.ungraded]
    lines = [_line(row, results.rubric.late) for row in sheet_rows(results)]
    pairs = likeness.pairs if likeness else ()
    used = Counter(tag for line in lines for tag in line["tags"])
    context: dict[str, Any] = {
        "rubric": results.rubric,
        "progress": progress,
        "data_text": story.data_text(reports),
        "lines": lines,
        "statuses": Counter(line["row"].status for line in lines).most_common(),
        "filters": [(tag, words, used[tag]) for tag, words in FILTERS.items() if used[tag]],
        "histogram": histogram([report for report in reports if not report.evidence.refusal], results.rubric.total),
        "rates": rates(reports, results.rubric),
        "speeds": speeds(reports),
        "pairs": _paged(pairs[:_PAIRS_SHOWN]),
        "likeness": likeness,
        "names": {handin.key: handin.names for handin in results.roster.handins},
        "similarity": PAGE,
        "warnings": results.roster.warnings,
        "damaged": results.damaged,
    }
    return render_page("index.html", context, ("index.css",), "index.js")


def _line(row: Row, rule: LateRule | None) -> dict[str, Any]:
    """Return what the table shows of one student."""
    line: dict[str, Any] = {"row": row, "late": late_text(rule, row.days) if row.days else ""}
    report = row.report
    if report is None:
        nothing = {"score": "", "tags": ("absent",), "failed": (), "flags": 0, "speedup": None, "link": ""}
        return line | nothing | {"sort_score": -1.0}
    flags = len(report.flags) + (len(row.handin.flags) if row.handin else 0)
    return line | {
        "score": story.range_text(round(report.score_low, 2), round(report.score_high, 2)),
        "sort_score": report.score_low,
        "tags": _tags(report, flags),
        # Places in the rubric, and the lower end of the first measured interval that a threshold bounds
        "failed": [i for i, result in enumerate(report.results) if result.outcome is Outcome.FAILED],
        "flags": flags,
        "speedup": next((ends[0] for result in report.results if (ends := plots.interval_ends(result))), None),
        "link": f"submissions/{quote(row.handin.key)}/" if row.handin else "",
    }


def _tags(report: Report, flags: int) -> list[str]:
    """Return the filters that find this report; what waits for a TA's marks is provisional and nothing worse."""
    open_ones = {
        result.outcome
        for result in report.results
        if result.mark is None and not (result.outcome is Outcome.INCONCLUSIVE and result.criterion.marked_by)
    }
    holds = {
        "flagged": bool(flags),
        "provisional": report.provisional and not report.evidence.refusal,
        "inconclusive": Outcome.INCONCLUSIVE in open_ones,
        "error": Outcome.ERROR in open_ones,
        "refused": bool(report.evidence.refusal),
    }
    return [tag for tag, applies in holds.items() if applies]


PAUSE_S = 5.0
_SHARE = 20
"""Of the batch's time, at most one part in so many goes into the page."""


class LivePage:
    """Writes the page now and then; what it cannot write, the batch writes when it ends."""

    def __init__(self, store: Store) -> None:
        self._store, self._next_s = store, 0.0

    def renew(self, progress: str) -> None:
        """Write the page, unless that was done a moment ago; `progress` says how far the batch is."""
        began_s = time.monotonic()
        if began_s < self._next_s:
            return
        sentence = (
            f"This batch is running: {progress}. As of {time.strftime('%H:%M:%S')}; a time that stands still means "
            "that it has ended, and the same command goes on."
        )
        try:
            results = load_batch(self._store)
            page = render_index(results, read_likeness(self._store), sentence)
            write_atomically(self._store.root / "index.html", page.encode())
        except GraderError:
            pass  # such as a full disk, or a table that somebody is writing: the batch itself says so at its end
        now_s = time.monotonic()
        self._next_s = now_s + max(PAUSE_S, _SHARE * (now_s - began_s))


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
    measured = [(result.criterion.id, plots.interval_ends(result)) for report in reports for result in report.results]
    checks = dict.fromkeys(check for check, ends in measured if ends)
    return tuple(_speeds(one, [ends for check, ends in measured if check == one and ends]) for one in checks)


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


PAGE, FOLDER = "similarity.html", "similarity"


def handin_texts(results: BatchResults) -> dict[str, dict[str, str]]:
    """Return key -> name of a file -> its code, of all hand-ins whose evidence has it."""
    return {
        graded.handin.key: {file.name: file.text for file in graded.evidence.submission.files if file.text}
        for graded in results.graded
    }


def write_pages(store: Store, results: BatchResults, likeness: Likeness) -> Path:
    """Write the list, a page for each pair, and the record that the index reads; return the list's file.

    Pages of an earlier comparison are removed.

    Raises:
        GraderError: the disk refuses.
    """
    texts, names = handin_texts(results), {handin.key: handin.names for handin in results.roster.handins}
    shutil.rmtree(store.root / FOLDER, ignore_errors=True)
    for page, pair in _paged(likeness.pairs):
        write_atomically(store.root / page, render_pair(pair, texts, names).encode())
    write_record(store.likeness, likeness)
    return write_atomically(store.root / PAGE, render_list(likeness, names).encode())


def _paged(pairs: Sequence[Pair]) -> list[tuple[str, Pair]]:
    """Return each pair with its page, from the folder of the batch."""
    return [(f"{FOLDER}/{number:03}.html", pair) for number, pair in enumerate(pairs, start=1)]


def render_list(likeness: Likeness, names: Mapping[str, str]) -> str:
    """Return the list of what is equal, and of the pairs that are alike."""
    context = {"rows": _paged(likeness.pairs), "names": names, "compared": likeness.compared, "equal": likeness.equal}
    return render_page("similarity.html", context, ("similarity.css",))


def render_pair(pair: Pair, texts: Mapping[str, Mapping[str, str]], names: Mapping[str, str]) -> str:
    """Return the page of one pair, both sides of each file beside each other."""
    code = {
        key: {each.name: shown_lines(texts[key][each.name])[0] for each in pair.overlaps}
        for key in (pair.first, pair.second)
    }
    context = {"pair": pair, "code": code, "names": names, "list": f"../{PAGE}"}
    return render_page("pair.html", context, ("report.css", "similarity.css"))
