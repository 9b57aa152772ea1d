"""`late.csv`: who handed in how many days late, as the course's list says. What that costs is the rubric's."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from grader.batch.model import Lateness, Roster
from grader.batch.people import find_student
from grader.batch.tables import csv_bytes, number, read_records
from grader.errors import UsageError
from grader.model import printable
from grader.reports.files import write_atomically

_COLUMNS = {
    "student": ("student id", "id", "user", "username", "email", "name", "סטודנט"),
    "days": ("days late", "late", "late days", "lateness", "איחור", "ימים"),
    "comment": ("comments", "reason", "remark", "note", "הערה", "הערות"),
}
_COMMENT_LIMIT = 300


def read_lateness(path: Path, roster: Roster) -> dict[str, Lateness]:
    """Return id of a student → lateness, from a CSV, ODS or XLSX with the columns student and days.

    No file means that nobody was late.

    Raises:
        UsageError: the table cannot be read, names nobody of the roster, or contradicts itself; the text names the row.
    """
    found: dict[str, Lateness] = {}
    if not path.exists():
        return found
    for place, row in enumerate(read_records(path, _COLUMNS, optional=("comment",)), start=2):
        line = _lateness(row, f"{path.name}, row {place}", roster)
        if line.student in found and found[line.student].days != line.days:
            both = f"{found[line.student].days:g} and {line.days:g} days"
            message = f"{path.name} says twice how late {line.student} was, {both}: keep one of the rows."
            raise UsageError(message)
        found[line.student] = line
    return found


def _lateness(row: dict[str, str], where: str, roster: Roster) -> Lateness:
    days = number(row["days"] or "0", where, "days")
    if days < 0:
        message = f"{where}: {days:g} days late is early: use 0."
        raise UsageError(message)
    try:
        student = find_student(roster, row["student"])
    except UsageError as error:
        message = f"{where}: {error}"
        raise UsageError(message) from error
    return Lateness(student.id, days, printable(row["comment"], _COMMENT_LIMIT))


def write_lateness(path: Path, lines: Iterable[Lateness]) -> None:
    """Write `lines` as CSV, sorted by student."""
    rows = [[line.student, f"{line.days:.10g}", line.comment] for line in sorted(lines, key=lambda line: line.student)]
    write_atomically(path, csv_bytes([list(_COLUMNS), *rows], bom=True))
