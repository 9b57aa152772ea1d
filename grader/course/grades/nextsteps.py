"""What is left to do until every student has a grade: sentences, each with the command that does it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from grader.course.grades.sheet import PROVISIONAL, REFUSED, Row
from grader.course.grades.sheets import Sheets
from grader.course.grades.tables import kept_table, read_publishing
from grader.course.platforms import PLATFORMS
from grader.course.store import Store
from grader.model import Outcome
from grader.reports.story import counted, listed


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
    waits = f"{counted(len(waiting), 'student')} {'has' if len(waiting) == 1 else 'have'} no final grade yet"
    yield f"make review BATCH={batch}    read the reports and give points; {waits}"
    unmeasured = list(filter(None, map(_unmeasured, waiting)))
    if checks := dict.fromkeys(check for ids in unmeasured for check in ids):
        yield f"{listed(checks)}: not measured for {counted(len(unmeasured), 'student')}. A grade all the same:"
        yield f"  {_low_grades(store, sheets)}"
        yield "  or on the GPU server: make batch with the same files. Bring that batch here; then"
        yield f"  make merge BATCH=<that batch> PROVISIONAL={batch}    (marks count that were given in BATCH)"


def _low_grades(store: Store, sheets: Sheets) -> str:
    """Say where what is open counts as 0, or what makes it so in the platform's file."""
    tables = {f"{platform.name}.csv" for platform in PLATFORMS.values() if platform.table}
    filled = [path.name for path in sheets.files if path.name in tables]
    if read_publishing(store).provisional == "low" and filled:
        return f"{listed(filled)}: what is open counts as 0 there"
    if filled or PLATFORMS[sheets.results.roster.platform].table:
        return f"make rescore BATCH={quoted(store)} ARGS='--provisional low'    the platform gets 0 for what is open"
    return f"column `low` of {store.root / 'grades.csv'}: what is open counts as 0 there"


def _unmeasured(row: Row) -> list[str]:
    """Return a student's checks with points that this machine could not measure, for want of a GPU."""
    results = row.report.results if row.report else ()
    rows = (result.criterion for result in results if result.outcome is Outcome.NOT_MEASURED)
    return [criterion.id for criterion in rows if criterion.points and criterion.hardware == "gpu"]


def _platform(store: Store, sheets: Sheets) -> Iterator[str]:
    """Yield how the grades get to the platform that the hand-ins came from."""
    batch, own = quoted(store), sheets.results.roster.platform
    for platform in PLATFORMS.values():
        if kept_table(store, platform.name) is not None:
            yield f"{platform.title}: {platform.upload.format(file=store.root / f'{platform.name}.csv')}"
        elif platform.name == own and platform.table:
            yield f"{platform.title}: {platform.download}; then"
            fills = f"fills it: {platform.name}.csv"
            yield f"  make rescore BATCH={batch} ARGS='--{platform.name} {platform.example}'    {fills}"
        if platform.name == own and platform.advice:
            yield from f"{platform.title}: {platform.advice.format(batch=batch)}".splitlines()
