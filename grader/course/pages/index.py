"""`index.html` of a batch: the class at a glance, and one row per student that the browser sorts and filters."""

import time
from collections import Counter
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from grader.course.grades.graded import BatchResults, Memory, load_batch
from grader.course.grades.sheet import Row, sheet_rows
from grader.course.model import Store
from grader.course.pages import charts
from grader.course.pages.similar import FOLDER, PAGE, page_name
from grader.course.similarity import Likeness, read_likeness
from grader.errors import GraderError
from grader.intake.disk import write_atomically
from grader.model import LateRule, Outcome, Report
from grader.reports import plots, story
from grader.reports.html import render_page
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


@dataclass(frozen=True, slots=True)
class Line:
    """One student as the table shows it."""

    row: Row
    late: str
    """How late it came and what that counts; empty if it was in time."""
    score: str
    sort_score: float
    tags: tuple[str, ...]
    failed: tuple[int, ...]
    """Places in the rubric of the checks that failed."""
    flags: int
    speedup: float | None
    """The lower end of the first measured interval that a threshold bounds."""
    link: str
    """The folder of the reports, from the batch's folder; empty where there is none."""


def render_index(results: BatchResults, likeness: Likeness | None = None, progress: str = "") -> str:
    """Return the page of a batch.

    `progress` says how far the batch is, while it runs; such a page loads itself again every few seconds.
    """
    reports = [graded.report for graded in results.graded if not graded.ungraded]
    lines = [_line(row, results.rubric.late) for row in sheet_rows(results)]
    pairs = likeness.pairs if likeness else ()
    used = Counter(tag for line in lines for tag in line.tags)
    context: dict[str, Any] = {
        "rubric": results.rubric,
        "progress": progress,
        "data_text": story.data_text(reports),
        "lines": lines,
        "statuses": Counter(line.row.status for line in lines).most_common(),
        "filters": [(tag, words, used[tag]) for tag, words in FILTERS.items() if used[tag]],
        "histogram": charts.histogram(
            [report for report in reports if not report.evidence.refusal], results.rubric.total
        ),
        "rates": charts.rates(reports, results.rubric),
        "speeds": charts.speeds(reports),
        "pairs": [(f"{FOLDER}/{page_name(number)}", pair) for number, pair in enumerate(pairs[:_PAIRS_SHOWN], start=1)],
        "likeness": likeness,
        "names": {handin.key: handin.names for handin in results.roster.handins},
        "similarity": PAGE,
        "warnings": results.roster.warnings,
        "damaged": results.damaged,
    }
    return render_page("index.html", context, ("index.css",), "index.js")


def _line(row: Row, rule: LateRule | None) -> Line:
    report, late = row.report, late_text(rule, row.days) if row.days else ""
    if report is None:
        return Line(row, late, "", -1.0, ("absent",), (), 0, None, "")
    flags = len(report.flags) + (len(row.handin.flags) if row.handin else 0)
    return Line(
        row=row,
        late=late,
        score=story.range_text(round(report.score_low, 2), round(report.score_high, 2)),
        sort_score=report.score_low,
        tags=tuple(_tags(report, flags)),
        failed=tuple(i for i, result in enumerate(report.results) if result.outcome is Outcome.FAILED),
        flags=flags,
        speedup=next((ends[0] for result in report.results if (ends := plots.interval_ends(result))), None),
        link=f"submissions/{quote(row.handin.key)}/" if row.handin else "",
    )


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
        self._store, self._memory = store, Memory()
        self._next_s = 0.0

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
            results = load_batch(self._store, read=self._memory.read)
            page = render_index(results, read_likeness(self._store), sentence)
            write_atomically(self._store.root / "index.html", page.encode())
        except GraderError:
            pass  # such as a full disk, or a table that somebody is writing: the batch itself says so at its end
        now_s = time.monotonic()
        self._next_s = now_s + max(PAUSE_S, _SHARE * (now_s - began_s))
