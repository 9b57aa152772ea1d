"""Tables that a TA adds to a batch: downloaded tables of platforms and how to fill them; the deadline and late days.

lms/             the platforms' tables; `publishing.json` says how they are filled
late.csv         the TA's list of late days; the rubric says what they cost
extensions.csv   students who may hand in later, by a number of days or until a time
late-counted.csv late days computed from the deadline and the hand-in times of the platform's download or table

For each student, `late.csv` counts before `late-counted.csv`. If neither download nor table has times, as on Canvas, a
note names the students whom the platform calls late, and the TA gives their days in `late.csv`.
"""

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from types import MappingProxyType

from grader.course.model import Store, batch_rubric, read_record, write_record
from grader.course.people import Roster, Student, all_students, columns, find_student, label_of
from grader.course.platforms import PLATFORMS
from grader.course.platforms.platform import Filling, Grade, Line, owner_of
from grader.errors import UsageError
from grader.intake.disk import write_atomically
from grader.intake.tables import csv_bytes, number, read_records
from grader.model import Rubric, printable
from grader.reports.story import listed

OPEN_SCORES = ("skip", "low")  # what a table gets for a provisional score: nothing, or its lower end


@dataclass(frozen=True, slots=True)
class Publishing:
    """How scores are written into platforms' tables; stored in the batch, so that they are always written alike."""

    provisional: str = "skip"
    """`skip` writes no grade for a student whose score is undecided; `low` writes the lower end of the range."""
    columns: Mapping[str, str] = field(default_factory=dict)  # platform -> the column of its table to fill


def kept_table(store: Store, platform: str) -> Path | None:
    """Return the table of a platform that the batch keeps; None if it has none."""
    path = store.lms / f"{platform}.csv"
    return path if path.is_file() else None


def read_kept(store: Store, roster: Roster) -> Mapping[str, Line]:
    """Return id of a student -> that student's line in a kept table; `UsageError` if a table is damaged."""
    lines: dict[str, Line] = {}
    for platform in PLATFORMS.values():
        if (table := kept_table(store, platform.name)) is not None:
            lines |= platform.read(table, roster)
    return lines


def read_roster(store: Store) -> Roster:
    """Return the roster, with names and addresses of the kept tables; `UsageError` if one of these is damaged."""
    roster = read_record(store.roster, Roster)
    lines = read_kept(store, roster)

    def known(student: Student) -> Student:
        line = lines.get(student.id, Line())
        return replace(student, name=student.name or line.name, email=student.email or line.email)

    handins = (replace(handin, students=tuple(map(known, handin.students))) for handin in roster.handins)
    return replace(roster, handins=tuple(handins), missing=tuple(map(known, roster.missing)))


def fill_tables(
    store: Store, roster: Roster, rubric: Rubric, grades: Sequence[Grade]
) -> tuple[dict[str, bytes], list[str]]:
    """Return file name -> filled table, for kept tables and the roster's platform, and sentences for the TA."""
    how = read_publishing(store)
    contents: dict[str, bytes] = {}
    notes: list[str] = []
    for platform in PLATFORMS.values():
        table = kept_table(store, platform.name)
        if table is None and platform.name != roster.platform:
            continue
        filling = Filling(rubric, how.columns.get(platform.name, ""))
        if (filled := platform.fill(table, grades, filling)) is not None:
            contents[f"{platform.name}.csv"] = filled[0]
            notes += filled[1]
    return contents, notes


def set_publishing(
    store: Store,
    tables: Mapping[str, Path] = MappingProxyType({}),
    columns: Mapping[str, str] = MappingProxyType({}),
    provisional: str = "",
) -> None:
    """Store tables in the batch and how to fill them. Settings that are not given stay unchanged.

    `tables`: platform -> downloaded table. `columns`: platform -> column to fill. `provisional` is one of
    `OPEN_SCORES`, or empty.

    Raises:
        UsageError: a file is missing or is no table of the platform; nothing was changed.
    """
    before = read_publishing(store)
    after = Publishing(provisional or before.provisional, {**before.columns, **columns})
    stored = {name: store.lms / f"{name}.csv" for name in columns}
    for name, table in ({name: table for name, table in stored.items() if table.is_file()} | {**tables}).items():
        PLATFORMS[name].fill(table, (), Filling(batch_rubric(store), after.columns.get(name, "")))
    for name, table in tables.items():
        keep_file(table, store.lms / f"{name}.csv")
    if after != before:
        write_record(store.publishing, after)


def read_publishing(store: Store) -> Publishing:
    """Return the stored settings for platforms' tables, or the defaults."""
    return read_record(store.publishing, Publishing) if store.publishing.is_file() else Publishing()


def keep_file(source: Path, target: Path) -> None:
    """Copy a file of the TA into the batch; `UsageError` if it cannot be copied."""
    try:
        if not (target.exists() and target.samefile(source)):
            write_atomically(target, source.read_bytes())
    except OSError as error:
        raise UsageError(
            f"{source} cannot be copied into the batch ({error.strerror}): check its name and permissions."
        ) from error


_LATE, _EXTENSIONS = ("student", "days", "comment"), ("student", "extra days", "until")
_COMMENT_LIMIT = 300
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTHS_HEBREW = ("ינו", "פבר", "מר", "אפר", "מאי", "יונ", "יול", "אוג", "ספט", "אוק", "נוב", "דצמ")
_DAY_FIRST = re.compile(r"(?P<day>\d{1,2})\s+ב?(?P<month>[^\W\d]+)\.?\s+(?P<year>\d{4})")
_MONTH_FIRST = re.compile(r"(?P<month>[^\W\d]+)\.?\s+(?P<day>\d{1,2}),\s+(?P<year>\d{4})")
_CLOCK = re.compile(r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::\d{2})?\s*(?P<half>[AP]\.?M|לפנה|אחה)?", re.IGNORECASE)
_NOON = 12
_ANY_TIME = datetime(2000, 1, 1)  # noqa: DTZ001 - a wall clock
_DAY_S, _SHORTEST_DAYS, _SHOWN = 86400, 1e-4, 20


@dataclass(frozen=True, slots=True)
class Lateness:
    """How late a student handed in."""

    student: str
    days: float
    comment: str = ""


def adopt_deadline(store: Store, text: str) -> None:
    """Set the batch's deadline to the date and time `text`; `none` removes it.

    Without an offset from UTC, `text` is in local time, as the times in platforms' tables are.

    Raises:
        UsageError: it is no date and time; nothing was changed.
    """
    if text == "none":
        store.deadline.unlink(missing_ok=True)
        store.counted_late.unlink(missing_ok=True)
        return
    due = _moment(text, "--deadline")
    if due.tzinfo is None and PLATFORMS[read_record(store.roster, Roster).platform].tells_time:
        due = due.astimezone()  # its times have offsets; so they are compared alike on every machine
    write_record(store.deadline, {"at": due})


def adopt_lateness(store: Store, table: Path) -> str:
    """Store `table` as the list of late days, and return `_lost`; `UsageError`, and no change, if a row is wrong."""
    roster = read_roster(store)
    late, unmatched = read_lateness(table, roster, may_lack=False)
    if unmatched:
        more = f" And {len(unmatched) - 1} rows more that name nobody." if len(unmatched) > 1 else ""
        raise UsageError(unmatched[0] + more)
    lost = _lost(store.late, late, roster)
    _write(store.late, late.values())
    return lost


def _lost(kept: Path, rows: Collection[str], roster: Roster) -> str:
    """Return a line about students in the table `kept` who have none of the new `rows`; empty if there are none."""
    with suppress(UsageError):  # there is no such table, or it is damaged
        before = sorted({row["student"] for _where, row in _rows(kept, ("student",))}.difference(rows))
        names = listed([label_of(roster, student) for student in before], _SHOWN)
        return f"{kept.name}: the table before also had {names}: give one table with all who count.\n" if names else ""
    return ""


def adopt_extensions(store: Store, table: Path) -> str:
    """Store `table` as the list of extensions, and return `_lost`; `UsageError`, and no change, if a row is wrong."""
    roster = read_roster(store)
    rows: dict[str, Sequence[str]] = {}
    for where, row in _rows(table, _EXTENSIONS):
        try:
            student = find_student(roster, row["student"]).id
        except UsageError as error:
            why = "Who has not handed in yet must be in the course's list: grader batch --students."
            raise UsageError(f"{where}: {error} {why}") from error
        _extended(row, _ANY_TIME, where)
        if student in rows:
            raise UsageError(f"{where}: {student} has a row above already: keep one of the two.")
        rows[student] = [student, row["extra days"], row["until"]]
    lost = _lost(store.extensions, rows, roster)
    write_atomically(store.extensions, csv_bytes([_EXTENSIONS, *rows.values()], bom=True))
    return lost


def read_lateness(path: Path, roster: Roster, *, may_lack: bool = True) -> tuple[dict[str, Lateness], tuple[str, ...]]:
    """Return id of a student → lateness from a CSV, ODS or XLSX with the columns student and days.

    Also return a sentence for each row without a student of the batch. A file may be missing, if `may_lack`; days, too.

    Raises:
        UsageError: the table cannot be read, days are no number or negative, or two rows of a student differ.
    """
    late: dict[str, Lateness] = {}
    unmatched = []
    for where, row in _rows(path, _LATE, "days") if path.exists() or not may_lack else ():
        if not row["days"]:
            continue
        days = number(row["days"], where, "days")
        if days < 0:
            raise UsageError(f"{where}: {days:g} days late is early: use 0.")
        try:
            student = find_student(roster, row["student"]).id
        except UsageError as error:
            unmatched.append(f"{where}: {error}")
            continue
        if student in late and late[student].days != days:
            both = f"{late[student].days:g} and {days:g} days"
            raise UsageError(f"{path.name} says twice how late {student} was, {both}: keep one of the rows.")
        late[student] = Lateness(student, days, printable(row["comment"], _COMMENT_LIMIT))
    return late, tuple(unmatched)


def count_lateness(store: Store) -> tuple[str, ...]:
    """Write the late days if the batch has a deadline; return notes for the TA; `UsageError` if a table is wrong."""
    if not store.deadline.exists():
        return ()
    roster, due = read_roster(store), read_record(store.deadline, dict[str, datetime])["at"]
    extensions = _rows(store.extensions, _EXTENSIONS) if store.extensions.exists() else ()
    extended = {row["student"]: _extended(row, due, where) for where, row in extensions}
    times, unread = _times(store, roster)
    lines = []
    for handin in roster.handins:
        ids = (owner_of(handin), *(student.id for student in handin.students))  # whose file it is goes first
        came = next((times[student] for student in ids if student in times), None)
        last = max(due, *(extended.get(student.id, due) for student in handin.students))
        if came is not None and (days := _days_late(came, last)):
            came = came.astimezone(last.tzinfo) if came.tzinfo else came
            text = f"handed in {came.isoformat(' ', 'minutes')}, due {last.isoformat(' ', 'minutes')}"
            lines += [Lateness(student.id, days, text) for student in handin.students]
    _write(store.counted_late, lines)
    lost = sorted(extended.keys() - {student.id for student in all_students(roster)})
    why = "is nobody's id in this batch any more, so that the extension is for nobody: give the table again."
    return (*_notes(store, roster, times, unread), *(f"extensions.csv: {who} {why}" for who in lost))


def parse_time(text: str) -> datetime | None:
    """Return the time in `text`, as platforms write it in English, Hebrew or ISO; None if it has another form."""
    with suppress(ValueError):
        return datetime.fromisoformat(text.strip())
    date, clock = _DAY_FIRST.search(text) or _MONTH_FIRST.search(text), _CLOCK.search(text)
    if date is None or clock is None:
        return None
    months = (*enumerate(_MONTHS, start=1), *enumerate(_MONTHS_HEBREW, start=1))
    month = next((number for number, begins in months if date["month"].casefold().startswith(begins)), 0)
    hour = int(clock["hour"])
    if clock["half"]:
        hour = hour % _NOON + (_NOON if clock["half"][0] in "Ppא" else 0)
    try:
        return datetime(int(date["year"]), month, int(date["day"]), hour, int(clock["minute"]))  # noqa: DTZ001 - a wall clock
    except ValueError:
        return None


def _moment(text: str, where: str) -> datetime:
    moment = parse_time(text)
    if moment is None or not re.search(r"\d:\d\d", text) or not _ANY_TIME.year <= moment.year < _ANY_TIME.year + 100:
        raise UsageError(f"{where}: {text[:60]!r} is no date and time: write it like `2026-01-15 23:59`.")
    return moment


def _rows(path: Path, names: Sequence[str], *required: str) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Yield each row's place in words, and its cells by `names`; student and `required` columns must exist."""
    optional = [name for name in names if name not in {"student", *required}]
    for place, row in read_records(path, columns(*names), optional=optional):
        yield f"{path.name}, row {place}", row


def _write(path: Path, lines: Iterable[Lateness]) -> None:
    rows = [[line.student, f"{line.days:.10g}", line.comment] for line in sorted(lines, key=lambda line: line.student)]
    write_atomically(path, csv_bytes([_LATE, *rows], bom=True))


def _extended(row: Mapping[str, str], due: datetime, where: str) -> datetime:
    """Return the deadline in a row of the list of extensions; `until` counts before `days`."""
    if row["until"]:
        until = _moment(row["until"], where)
        if due.tzinfo is None:
            return until.astimezone().replace(tzinfo=None) if until.tzinfo else until
        return until if until.tzinfo else until.replace(tzinfo=due.tzinfo)
    if not row["extra days"]:
        raise UsageError(f"{where}: until when? Fill the column days, or until.")
    if (days := number(row["extra days"], where, "days")) < 0:
        raise UsageError(f"{where}: an extension of {days:g} days would end before the deadline: use 0 or more.")
    return due + timedelta(days=days)


def _times(store: Store, roster: Roster) -> tuple[Mapping[str, datetime], list[str]]:
    """Return id of a student -> hand-in time, and the ids of students whose time cannot be read."""
    if PLATFORMS[roster.platform].tells_time:
        known = (handin for handin in roster.handins if handin.handed_in_at)
        return {who.id: handin.handed_in_at for handin in known for who in handin.students if handin.handed_in_at}, []
    read = {who: parse_time(line.came) for who, line in read_kept(store, roster).items() if line.came}
    return {who: at for who, at in read.items() if at}, sorted(who for who, at in read.items() if at is None)


def _days_late(came: datetime, due: datetime) -> float:
    """Return by how many days `came` is after `due`; if `due` has no seconds, its whole minute is in time."""
    if not (due.second or due.microsecond):
        came = came.replace(second=0, microsecond=0)
    if came.tzinfo is None:
        came = came.replace(tzinfo=due.tzinfo)
    elif due.tzinfo is None:  # of an earlier version
        due = due.astimezone()
    days = (came - due).total_seconds() / _DAY_S
    return max(_SHORTEST_DAYS, math.ceil(days * 1e4) / 1e4) if days > 0 else 0.0


def _notes(store: Store, roster: Roster, times: Mapping[str, datetime], unread: list[str]) -> Iterator[str]:
    late, _unmatched = read_lateness(store.late, roster)
    if unread:
        yield f"deadline: the times of {listed(unread, _SHOWN)} cannot be read, so that nobody of them is late."
    called = (handin for handin in roster.handins if any("handed in late" in flag for flag in handin.flags))
    if labels := [label for handin in called if handin.students[0].id not in late for label in handin.labels]:
        names = listed(labels, _SHOWN)
        yield f"deadline: the platform calls {names} late and tells no time: give the days with --late."
    if not times:
        telling = (platform for platform in PLATFORMS.values() if platform.table_tells_time)
        ways = (f"on {platform.title}, name the {platform.table} with --{platform.name}" for platform in telling)
        yield f"deadline: no time of any hand-in is known; {'; '.join(ways)}."
