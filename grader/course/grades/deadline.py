"""Late days from the platform's own times: a deadline, extensions for some students, and when each hand-in came.

Gradescope   the time in its metadata
Moodle       the column `Last modified (submission)` of the grading worksheet, once it is in the batch
Canvas, folders   tell no time: whoever Canvas calls late is named, and gets days from the course's list

What comes out is a list like `late.csv`, which stands above it: a TA's word counts before a computed one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from grader.course.files import read_record, write_record
from grader.course.grades.lateness import read_lateness, write_lateness
from grader.course.grades.moodle_sheet import worksheet_times
from grader.course.grades.people import find_student
from grader.course.platforms.model import Handin, Lateness, Roster
from grader.course.store import Store
from grader.errors import UsageError
from grader.intake.tables import csv_bytes, number, read_records
from grader.reports import write_atomically
from grader.reports.story import listed

_COLUMNS = {
    "student": ("student id", "id", "user", "username", "email", "name", "סטודנט"),
    "days": ("extension", "extra days", "ימים", "הארכה"),
    "until": ("due", "deadline", "date", "עד", "תאריך"),
}
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTHS_HEBREW = ("ינו", "פבר", "מר", "אפר", "מאי", "יונ", "יול", "אוג", "ספט", "אוק", "נוב", "דצמ")
_DAY_FIRST = re.compile(r"(?P<day>\d{1,2})\s+ב?(?P<month>[^\W\d]+)\.?\s+(?P<year>\d{4})")
_MONTH_FIRST = re.compile(r"(?P<month>[^\W\d]+)\.?\s+(?P<day>\d{1,2}),\s+(?P<year>\d{4})")
_CLOCK = re.compile(r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::\d{2})?\s*(?P<half>[AP]M)?", re.IGNORECASE)
_NOON = 12
_ANY_TIME = datetime(2000, 1, 1)  # noqa: DTZ001 - a wall clock
_DAY_S = 86400
_SHORTEST_DAYS = 1e-4
_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Deadline:
    """When hand-ins were due; without an offset from UTC it is the wall clock of the course."""

    at: datetime


def adopt_deadline(store: Store, text: str) -> None:
    """Make the date and time `text` the batch's deadline; `none` takes it away.

    Raises:
        UsageError: it is no date and time; nothing was changed.
    """
    if text == "none":
        store.deadline.unlink(missing_ok=True)
        store.counted_late.unlink(missing_ok=True)
        return
    write_record(store.deadline, Deadline(_moment(text, "--deadline")))


def adopt_extensions(store: Store, table: Path) -> None:
    """Make `table`, with the columns student and days or until, the batch's list of extensions.

    Raises:
        UsageError: it cannot be read, or names somebody who is not in the batch; nothing was changed.
    """
    if not table.is_file():
        raise UsageError(f"there is no list of extensions at {table}: check its name.")
    roster = read_record(store.roster, Roster)
    rows = [list(_COLUMNS)]
    for place, row in read_records(table, _COLUMNS, optional=("days", "until")):
        where = f"{table.name}, row {place}"
        try:
            student = find_student(roster, row["student"]).id
        except UsageError as error:
            raise UsageError(f"{where}: {error}") from error
        _extended(row, _ANY_TIME, where)
        rows.append([student, row["days"], row["until"]])
    write_atomically(store.extensions, csv_bytes(rows, bom=True))


def count_lateness(store: Store) -> tuple[str, ...]:
    """Write the computed late days of the batch, if it has a deadline, and return notes for the TA.

    Raises:
        UsageError: the extensions or the worksheet cannot be read.
    """
    if not store.deadline.exists():
        return ()
    roster, due = read_record(store.roster, Roster), read_record(store.deadline, Deadline).at
    extended = _read_extensions(store.extensions, due)
    times, unread = _times(store, roster)
    lines = []
    for handin in roster.handins:
        came = next((times[one.id] for one in handin.students if one.id in times), None)
        last = max(extended.get(one.id, due) for one in handin.students)
        if came is not None and (days := _days_late(came, last)):
            text = f"handed in {_shown(came)}, due {_shown(last)}"
            lines += [Lateness(one.id, days, text) for one in handin.students]
    write_lateness(store.counted_late, lines)
    return tuple(_notes(store, roster, times, unread))


def parse_time(text: str) -> datetime | None:
    """Return the time that a platform wrote, in English, Hebrew or ISO; None if it is none of these."""
    try:
        return datetime.fromisoformat(text.strip())
    except ValueError:
        pass
    date, clock = _DAY_FIRST.search(text) or _MONTH_FIRST.search(text), _CLOCK.search(text)
    if date is None or clock is None or not (month := _month(date["month"])):
        return None
    hour = int(clock["hour"])
    if clock["half"]:
        hour = hour % _NOON + (_NOON if clock["half"].upper() == "PM" else 0)
    try:
        return datetime(int(date["year"]), month, int(date["day"]), hour, int(clock["minute"]))  # noqa: DTZ001 - a wall clock
    except ValueError:
        return None


def _month(word: str) -> int:
    """Return the number of a month by how its name begins; 0 if it is none."""
    for names in (_MONTHS, _MONTHS_HEBREW):
        found = next((place for place, begins in enumerate(names, start=1) if word.casefold().startswith(begins)), 0)
        if found:
            return found
    return 0


def _moment(text: str, where: str) -> datetime:
    found = parse_time(text)
    if found is None or not re.search(r"\d:\d\d", text):
        raise UsageError(f"{where}: {text[:60]!r} is no date and time: write it like `2026-01-15 23:59`.")
    return found


def _read_extensions(path: Path, due: datetime) -> dict[str, datetime]:
    """Return id -> own deadline of who has one."""
    if not path.exists():
        return {}
    records = read_records(path, _COLUMNS, optional=("days", "until"))
    return {row["student"]: _extended(row, due, f"{path.name}, row {place}") for place, row in records}


def _extended(row: Mapping[str, str], due: datetime, where: str) -> datetime:
    """Return the deadline that a row of the list gives."""
    if row["until"]:
        until = _moment(row["until"], where)
        if due.tzinfo is None:
            return until.astimezone().replace(tzinfo=None) if until.tzinfo else until
        return until if until.tzinfo else until.replace(tzinfo=due.tzinfo)
    if not row["days"]:
        raise UsageError(f"{where}: until when? Fill the column days, or until.")
    return due + timedelta(days=number(row["days"], where, "days"))


def _times(store: Store, roster: Roster) -> tuple[Mapping[str, datetime], list[str]]:
    """Return id -> when the student's hand-in came, and who has a time that cannot be read."""
    if roster.platform == "gradescope":
        known = (one for one in roster.handins if one.handed_in_at)
        return {who.id: one.handed_in_at for one in known for who in one.students if one.handed_in_at}, []
    written = worksheet_times(store.lms / "moodle.csv", roster) if (store.lms / "moodle.csv").is_file() else {}
    read = {student: parse_time(text) for student, text in written.items()}
    return {who: at for who, at in read.items() if at}, sorted(who for who, at in read.items() if at is None)


def _days_late(came: datetime, due: datetime) -> float:
    """Return by how much `came` is after `due`; where only minutes are told, the whole last minute is in time."""
    if not (due.second or due.microsecond):
        came = came.replace(second=0, microsecond=0)
    if came.tzinfo is not None or due.tzinfo is not None:
        came, due = came.astimezone(), due.astimezone()
    days = (came - due).total_seconds() / _DAY_S
    return max(_SHORTEST_DAYS, math.ceil(days * 1e4) / 1e4) if days > 0 else 0.0


def _shown(at: datetime) -> str:
    return at.isoformat(" ", "minutes")


def _notes(store: Store, roster: Roster, times: Mapping[str, datetime], unread: list[str]) -> Iterator[str]:
    given = read_lateness(store.late, roster).lines
    if unread:
        yield f"deadline: the times of {listed(unread, _SHOWN)} cannot be read, so that nobody of them is late."
    said = [one for one in roster.handins if _is_called_late(one) and one.students[0].id not in given]
    if said:
        names = listed((label for one in said for label in one.labels), _SHOWN)
        yield f"deadline: the platform calls {names} late and tells no time: give the days with --late."
    if not times:
        yield "deadline: no time of any hand-in is known; on Moodle, name the grading worksheet with --moodle."


def _is_called_late(handin: Handin) -> bool:
    return any("handed in late" in flag for flag in handin.flags)
