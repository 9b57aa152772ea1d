"""What is left to do until every student has a grade: sentences, each with the command that does it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from grader.course.grades.sheet import PROVISIONAL, REFUSED, Row
from grader.course.grades.sheets import Sheets, read_publishing
from grader.course.store import Store
from grader.model import Outcome
from grader.reports.story import counted, listed

_FILLED = ("moodle.csv", "canvas.csv")
"""What a platform takes grades from."""


def next_steps(store: Store, sheets: Sheets) -> tuple[str, ...]:
    """Return lines for a terminal."""
    return ("Next:", *(f"  {line}" for line in (*_open(store, sheets), *_platform(store, sheets))))


def quoted(store: Store) -> str:
    """Return the batch's folder as a shell takes it."""
    return shlex.quote(str(store.root))


def _open(store: Store, sheets: Sheets) -> Iterator[str]:
    """Yield how those get a grade who have none yet."""
    batch = quoted(store)
    waiting = [row for row in sheets.rows if row.status in {PROVISIONAL, REFUSED}]
    yield f"make review BATCH={batch}    read the reports and give points; {_have_no_grade(waiting)}"
    if unmeasured := _unmeasured(waiting):
        yield f"{listed(unmeasured)}: not measured for {_count_unmeasured(waiting)}. A grade all the same:"
        yield f"  {_low_grades(store, sheets)}"
        yield "  or on the GPU server: make batch with the same files. Bring that batch here; then"
        yield f"  make merge BATCH=<that batch> PROVISIONAL={batch}    (marks count that were given in BATCH)"


def _low_grades(store: Store, sheets: Sheets) -> str:
    """Say where what is open counts as 0, or what makes it so in the platform's file."""
    filled = [path.name for path in sheets.files if path.name in _FILLED]
    if read_publishing(store).provisional == "low" and filled:
        return f"{listed(filled)}: what is open counts as 0 there"
    if filled or sheets.results.roster.platform in {Path(name).stem for name in _FILLED}:
        return f"make rescore BATCH={quoted(store)} ARGS='--provisional low'    the platform gets 0 for what is open"
    return f"column `low` of {store.root / 'grades.csv'}: what is open counts as 0 there"


def _have_no_grade(waiting: Sequence[Row]) -> str:
    return f"{counted(len(waiting), 'student')} {'has' if len(waiting) == 1 else 'have'} no final grade yet"


def _unmeasured(rows: Sequence[Row]) -> list[str]:
    """Return the checks with points that this machine could not measure, for want of a GPU."""
    return list(dict.fromkeys(check for row in rows for check in _unmeasured_of(row)))


def _count_unmeasured(rows: Sequence[Row]) -> str:
    return counted(sum(bool(_unmeasured_of(row)) for row in rows), "student")


def _unmeasured_of(row: Row) -> list[str]:
    results = row.report.results if row.report else ()
    found = (result.criterion for result in results if result.outcome is Outcome.NOT_MEASURED)
    return [criterion.id for criterion in found if criterion.points and criterion.hardware == "gpu"]


def _platform(store: Store, sheets: Sheets) -> Iterator[str]:
    """Yield how the grades get to the platform that the hand-ins came from."""
    batch, written = quoted(store), {path.name for path in sheets.files}
    platform = sheets.results.roster.platform
    if "moodle.csv" in written:
        yield f"Moodle: upload {store.root / 'moodle.csv'}, and feedback.zip as feedback files"
    elif platform == "moodle":
        yield "Moodle: download the assignment's grading worksheet; then"
        yield f"  make rescore BATCH={batch} ARGS='--moodle worksheet.csv'    fills it: moodle.csv"
    if "canvas.csv" in written and (store.lms / "canvas.csv").is_file():
        yield f"Canvas: import {store.root / 'canvas.csv'}"
    elif platform == "canvas":
        yield "Canvas: export the gradebook; then"
        yield f"  make rescore BATCH={batch} ARGS='--canvas gradebook.csv'    fills it: canvas.csv"
    if platform == "gradescope":
        yield "Gradescope: if it graded these uploads itself, join its results with these:"
        yield f"  make merge BATCH={batch} PROVISIONAL=<its export>"
