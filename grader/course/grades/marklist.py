"""Many marks at once, from a table that TAs filled: CSV, ODS or XLSX."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from grader.course.grades.marks import MarkConflict, Marks, checked_mark, counts_already, give_marks, giver, read_marks
from grader.course.grades.rules import batch_rubric
from grader.course.grades.tables import read_roster
from grader.course.people import Roster
from grader.course.store import Store
from grader.errors import UsageError
from grader.intake.tables import number, read_records
from grader.model import Mark, Rubric

_COLUMNS = {
    "student": ("student id", "id", "user", "username", "email", "name", "סטודנט"),
    "check": ("check id", "criterion", "part", "question", "בדיקה"),
    "points": ("score", "mark", "grade", "ניקוד", "ציון"),
    "comment": ("comments", "feedback", "remark", "note", "הערה", "הערות"),
}


def import_marks(store: Store, table: Path, by: str = "", *, may_replace: bool = False) -> tuple[Marks, int]:
    """Add the marks of a CSV, ODS or XLSX with the columns student, check, points, comment; all of them or none.

    Rows without points are passed over, so that a list can be filled step by step. Returns the new history and how many
    marks are new.

    Raises:
        MarkConflict: a row says something else than a mark that is there, and `may_replace` is false.
        UsageError: as `give_mark`, or the table cannot be read; the text names the row.
    """
    roster, rubric = read_roster(store), batch_rubric(store)
    rows = read_records(table, _COLUMNS, optional=("comment",))
    marks = [_row_mark(row, f"{table.name}, row {place}", by, roster, rubric) for place, row in rows if row["points"]]
    _refuse_twice(marks, table)
    before = read_marks(store)
    if not may_replace:
        _refuse_replacing(before, marks)
    after = give_marks(store, marks, expected_version=None if may_replace else before.version)
    return after, after.version - before.version


def _row_mark(row: dict[str, str], where: str, by: str, roster: Roster, rubric: Rubric) -> Mark:
    points = number(row["points"], where, "points")
    try:
        return checked_mark(Mark(row["student"], row["check"], points, row["comment"], by), roster, rubric)
    except UsageError as error:
        raise UsageError(f"{where}: {error}") from error


def _refuse_replacing(before: Marks, marks: Iterable[Mark]) -> None:
    for mark in marks:
        there = before.current.get((mark.student, mark.check))
        if there is not None and not counts_already(before, mark):
            raise MarkConflict(
                f"{mark.check} of {mark.student} has {there.points:g} points from {giver(there)}, and the table says "
                f"{mark.points:g}: nothing was imported; say --replace if the table is right."
            )


def _refuse_twice(marks: Sequence[Mark], table: Path) -> None:
    seen: set[tuple[str, str]] = set()
    for mark in marks:
        if (mark.student, mark.check) in seen:
            raise UsageError(f"{table.name} has two rows about {mark.check} of {mark.student}: keep one of them.")
        seen.add((mark.student, mark.check))
