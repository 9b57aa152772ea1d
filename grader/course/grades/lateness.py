"""`late.csv`: who handed in how many days late, as the course's list says. What that costs is the rubric's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from grader.course.grades.people import find_student
from grader.course.platforms.model import Lateness, Roster
from grader.errors import UsageError
from grader.intake.tables import csv_bytes, number, read_records
from grader.model import printable
from grader.reports import write_atomically

_COLUMNS = {
    "student": ("student id", "id", "user", "username", "email", "name", "סטודנט"),
    "days": ("days late", "late", "late days", "lateness", "איחור", "ימים"),
    "comment": ("comments", "reason", "remark", "note", "הערה", "הערות"),
}
_COMMENT_LIMIT = 300


@dataclass(frozen=True, slots=True)
class LateList:
    """The whole table."""

    lines: Mapping[str, Lateness] = field(default_factory=dict)
    """Id of a student → lateness."""
    unmatched: tuple[str, ...] = ()
    """A sentence for each row whose student is not in the batch."""


def read_lateness(path: Path, roster: Roster) -> LateList:
    """Return what a CSV, ODS or XLSX with the columns student and days says. No file means that nobody was late.

    Raises:
        UsageError: the table cannot be read, has no number of days, or contradicts itself; the text names the row.
    """
    found: dict[str, Lateness] = {}
    unmatched = []
    if not path.exists():
        return LateList()
    for place, row in read_records(path, _COLUMNS, optional=("comment",)):
        where = f"{path.name}, row {place}"
        days = _days(row["days"], where)
        try:
            student = find_student(roster, row["student"]).id
        except UsageError as error:
            unmatched.append(f"{where}: {error}")
            continue
        if student in found and found[student].days != days:
            both = f"{found[student].days:g} and {days:g} days"
            raise UsageError(f"{path.name} says twice how late {student} was, {both}: keep one of the rows.")
        found[student] = Lateness(student, days, printable(row["comment"], _COMMENT_LIMIT))
    return LateList(found, tuple(unmatched))


def _days(text: str, where: str) -> float:
    days = number(text or "0", where, "days")
    if days < 0:
        raise UsageError(f"{where}: {days:g} days late is early: use 0.")
    return days


def write_lateness(path: Path, lines: Iterable[Lateness]) -> None:
    """Write `lines` as CSV, sorted by student."""
    rows = [[line.student, f"{line.days:.10g}", line.comment] for line in sorted(lines, key=lambda line: line.student)]
    write_atomically(path, csv_bytes([list(_COLUMNS), *rows], bom=True))
