"""Pages about a whole batch, for staff; they show what is on the disk and compute no score.

`index.html` shows the class at a glance: scores, checks, speed-ups, and one row per student that the browser sorts and
filters. `similarity.html` lists pairs of hand-ins with similar structure; each pair has a page that shows both.
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
from grader.course.people import names_of
from grader.course.similarity import Pair, Similarities, read_similarities
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
"""Tag of a row -> the label of its filter."""


def render_index(results: BatchResults, similar: Similarities | None = None, progress: str = "") -> str:
    """Return the page of a batch.

    While the batch runs, `progress` says how much is done; the page then reloads itself every few seconds.
    """
    reports = [graded.report for graded in results.graded if not graded.ungraded]
    lines = [_line(row, results.rubric.late) for row in sheet_rows(results)]
    pairs = similar.pairs if similar else ()
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
        "similar": similar,
        "names": names_of(results.roster),
        "similarity": PAGE,
        "warnings": results.roster.warnings,
        "damaged": results.damaged,
    }
    return render_page("index.html", context, ("index.css",), "index.js")


def _line(row: Row, rule: LateRule | None) -> dict[str, Any]:
    """Return the values of one student's row in the table."""
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
        # Indexes of failed checks; `speedup` is the lower end of the first measured interval that has a threshold.
        "failed": [i for i, result in enumerate(report.results) if result.outcome is Outcome.FAILED],
        "flags": flags,
        "speedup": next((ends[0] for result in report.results if (ends := plots.interval_ends(result))), None),
        "link": f"submissions/{quote(row.handin.key)}/" if row.handin else "",
    }


def _tags(report: Report, flags: int) -> list[str]:
    """Return the filters that find this report; a check that waits for a TA's mark counts as provisional only."""
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
_SHARE = 20  # writing the page takes at most one part in `_SHARE` of the batch's time


class LivePage:
    """Writes the page from time to time; if this fails, the batch writes the page when it ends."""

    def __init__(self, store: Store) -> None:
        self._store, self._next_s = store, 0.0

    def renew(self, progress: str) -> None:
        """Write the page, unless it was written a moment ago; `progress` says how much of the batch is done."""
        began_s = time.monotonic()
        if began_s < self._next_s:
            return
        sentence = (
            f"This batch is running: {progress}. As of {time.strftime('%H:%M:%S')}; if this time "
            "stands still, the batch has ended: the same command continues it."
        )
        try:
            page = render_index(load_batch(self._store), read_similarities(self._store), sentence)
            write_atomically(self._store.root / "index.html", page.encode())
        except GraderError:
            pass  # such as a full disk, or a table that somebody is writing: the batch reports it when it ends
        now_s = time.monotonic()
        self._next_s = now_s + max(PAUSE_S, _SHARE * (now_s - began_s))


BINS = 20
HEIGHT, LEFT, BOTTOM, TOP = 190, 34, 26, 14
WIDTH = 640
_DOTS_HEIGHT = 120
_MOST_DOTS = 2000


@dataclass(frozen=True, slots=True)
class Rate:
    """Outcomes of one check in the class, in percent of the hand-ins that were not refused."""

    row: Criterion
    passed: float
    failed: float
    skipped: float
    open: float
    is_suspicious: bool  # whether so many hand-ins fail, or the grader so often, that staff should examine the check


def histogram(reports: Sequence[Report], total: float) -> Drawing:
    """Return a histogram of the lower ends of the scores; final and provisional scores have different colours."""
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
    """Return the outcomes of each check in the class, in the rubric's order; refused hand-ins do not count."""
    ran = [report for report in reports if not report.evidence.refusal]
    counts = Counter((result.criterion.id, result.outcome) for report in ran for result in report.results)
    return tuple(_rate(row, {outcome: counts[row.id, outcome] for outcome in Outcome}) for row in rubric.criteria)


def _rate(row: Criterion, counts: Mapping[Outcome, int]) -> Rate:
    share = {outcome: 100 * count / (sum(counts.values()) or 1) for outcome, count in counts.items()}
    return Rate(
        row=row,
        passed=share[Outcome.PASSED],
        failed=share[Outcome.FAILED],
        skipped=share[Outcome.SKIPPED],
        open=sum(share[outcome] for outcome in Outcome if outcome.is_open),
        is_suspicious=share[Outcome.FAILED] > 50 or share[Outcome.ERROR] > 5,  # noqa: PLR2004 - percent
    )


def speeds(reports: Sequence[Report]) -> tuple[Drawing, ...]:
    """Return one chart for each check that has a threshold for a measured interval and was measured."""
    measured = [(result.criterion.id, plots.interval_ends(result)) for report in reports for result in report.results]
    checks = dict.fromkeys(check for check, ends in measured if ends)
    return tuple(_speeds(one, [ends for check, ends in measured if check == one and ends]) for one in checks)


def _speeds(check: str, ends: Sequence[tuple[float, float, float]]) -> Drawing:
    """Return a chart of the class's ratios: dots on a logarithmic axis, and a line at the threshold."""
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
    """Return key -> file name -> code, for all graded hand-ins; files whose text the evidence lacks are left out."""
    return {
        graded.handin.key: {file.name: file.text for file in graded.evidence.submission.files if file.text}
        for graded in results.graded
    }


def write_pages(store: Store, results: BatchResults, similar: Similarities) -> Path:
    """Write the list, a page for each pair, and the record that the index page reads; return the list's path.

    Pages of an earlier comparison are removed.

    Raises:
        GraderError: the disk refuses.
    """
    texts, names = handin_texts(results), names_of(results.roster)
    shutil.rmtree(store.root / FOLDER, ignore_errors=True)
    for page, pair in _paged(similar.pairs):
        write_atomically(store.root / page, render_pair(pair, texts, names).encode())
    write_record(store.similarities, similar)
    return write_atomically(store.root / PAGE, render_list(similar, names).encode())


def _paged(pairs: Sequence[Pair]) -> list[tuple[str, Pair]]:
    """Return each pair with the path of its page, relative to the folder of the batch."""
    return [(f"{FOLDER}/{number:03}.html", pair) for number, pair in enumerate(pairs, start=1)]


def render_list(similar: Similarities, names: Mapping[str, str]) -> str:
    """Return the page that lists equal files and similar pairs."""
    context = {"rows": _paged(similar.pairs), "names": names, "compared": similar.compared, "equal": similar.equal}
    return render_page("similarity.html", context, ("similarity.css",))


def render_pair(pair: Pair, texts: Mapping[str, Mapping[str, str]], names: Mapping[str, str]) -> str:
    """Return the page of one pair, which shows both versions of each file side by side."""
    code = {
        key: {each.name: shown_lines(texts[key][each.name])[0] for each in pair.overlaps}
        for key in (pair.first, pair.second)
    }
    context = {"pair": pair, "code": code, "names": names, "list": f"../{PAGE}"}
    return render_page("pair.html", context, ("report.css", "similarity.css"))
