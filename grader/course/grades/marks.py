"""`marks.json`: the marks of TAs; every change is an entry with author and time. Entries are never changed or removed.

The last entry for a student and a check counts. The version of the file is the number of its entries: if a TA has seen
version 7, and entry 8 marks the same check of the student or a partner, the TA's mark is refused with a `MarkConflict`.
"""

import getpass
import math
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from grader.course.grades.tables import read_roster
from grader.course.model import Store, batch_rubric, read_record, write_record
from grader.course.people import Handin, Roster, columns, find_handin, find_student, label_of
from grader.errors import GraderError, UsageError
from grader.intake.disk import take_lock
from grader.intake.tables import number, read_records
from grader.model import Mark, Rubric, printable
from grader.reports.story import counted
from grader.scoring.marks import ADJUSTMENT, line_of

SCHEMA = 1
COMMENT_LIMIT = 4000
_LOCK_LIMIT_S = 10.0


class MarkConflict(UsageError):  # noqa: N818 - what happened, not a malfunction
    """There is another mark of the same check that the giver may not have seen; the text says whose."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the history."""

    mark: Mark
    withdrawn: bool = False  # whether this entry removes the mark; then the points of `mark` do not count


@dataclass(frozen=True, slots=True)
class Marks:
    """The whole history, oldest first."""

    entries: tuple[Entry, ...] = ()
    schema: int = SCHEMA

    @property
    def version(self) -> int:
        """Number of entries."""
        return len(self.entries)

    @property
    def current(self) -> dict[tuple[str, str], Mark]:
        """The marks that count: student and check → mark."""
        last = {(entry.mark.student, entry.mark.check): entry for entry in self.entries}
        return {about: entry.mark for about, entry in last.items() if not entry.withdrawn}

    @property
    def by_student(self) -> dict[str, dict[str, Mark]]:
        """The marks that count: student → check → mark."""
        marks: dict[str, dict[str, Mark]] = {}
        for (student, check), mark in self.current.items():
            marks.setdefault(student, {})[check] = mark
        return marks


def marks_of(by_student: Mapping[str, Mapping[str, Mark]], student: str, handin: Handin) -> tuple[Mark, ...]:
    """Return the marks that count for `student`, sorted by check.

    Partners share marks of checks: if the student has no mark of a check, the first partner's mark of it counts.
    Adjustments are not shared.
    """
    marks: dict[str, Mark] = {}
    for partner in reversed(handin.students):
        marks |= {check: mark for check, mark in by_student.get(partner.id, {}).items() if check != ADJUSTMENT}
    marks |= by_student.get(student, {})
    return tuple(marks[check] for check in sorted(marks))


def is_earlier(mark: Mark, handin: Handin) -> bool:
    """Return whether `mark` was given for an earlier file than the hand-in's."""
    return mark.sha256 not in {"", handin.sha256}


def read_marks(store: Store) -> Marks:
    """Return the marks of the batch; `UsageError` if the file is damaged, or has another schema."""
    if not store.marks.exists():
        return Marks()
    marks = read_record(store.marks, Marks)
    if marks.schema != SCHEMA:
        raise UsageError(f"{store.marks} has schema {marks.schema}, not {SCHEMA}: use the grader that wrote it.")
    return marks


def give_mark(store: Store, *marks: Mark, expected_version: int | None = None) -> Marks:
    """Add all `marks` or none, and return the new history. Marks that change neither points nor comment are left out.

    An empty author becomes the login name, an empty time becomes now. `expected_version` is the version that the giver
    has seen; None replaces any mark.

    Raises:
        MarkConflict: an entry after `expected_version` is about the same check of the student or a partner.
        UsageError: an unknown student or check, no hand-in, points out of range, a missing comment.
    """
    roster, rubric = read_roster(store), batch_rubric(store)
    checked = [checked_mark(mark, roster, rubric) for mark in marks]
    with locked(store):
        before = read_marks(store)
        _refuse_conflicts(before, checked, expected_version, roster)
        current = before.current
        return add_entries(store, before, [Entry(mark) for mark in checked if not counts_already(current, mark)])


def withdraw_mark(
    store: Store, student: str, check: str, by: str = "", *, expected_version: int | None = None
) -> Marks:
    """Remove the mark of `check` of `student`, and return the new history, which keeps the old entry.

    Raises:
        MarkConflict: as `give_mark`.
        UsageError: there is no such mark or student.
    """
    roster = read_roster(store)
    who = find_student(roster, student).id
    with locked(store):
        before = read_marks(store)
        mark = before.current.get((who, check))
        if mark is None:
            raise UsageError(f"{label_of(roster, who)} has no mark for {check}: nothing was withdrawn.")
        _refuse_conflicts(before, [mark], expected_version, roster)
        return add_entries(store, before, [Entry(replace(mark, by=by, at=None), withdrawn=True)])


def checked_mark(mark: Mark, roster: Roster, rubric: Rubric) -> Mark:
    """Return `mark` with the student's id from the roster and a comment of limited length; `UsageError` if invalid."""
    student = find_student(roster, mark.student)
    if student in roster.missing:
        raise UsageError(f"{student.label} handed in nothing: there is nothing to mark.")
    comment = printable(mark.comment.strip(), COMMENT_LIMIT)
    if problem := _problem(mark, comment, rubric):
        raise UsageError(problem)
    return replace(mark, student=student.id, comment=comment, sha256=find_handin(roster, student.id).sha256)


def _problem(mark: Mark, comment: str, rubric: Rubric) -> str:
    """Return the problem of `mark`'s check, points or `comment` as one sentence; empty if there is none."""
    if not math.isfinite(mark.points):
        return f"{mark.points} are no points: give a number."
    if line_of(mark.check):
        return "" if comment and not mark.points else "a comment on a line needs a text, and gives no points."
    if mark.check == ADJUSTMENT:
        if not comment:
            return "an adjustment needs a comment: say why."
        return "" if abs(mark.points) <= rubric.total else f"an adjustment is at most {rubric.total:g} up or down."
    worth = next((row.points for row in rubric.criteria if row.id == mark.check), None)
    if worth is None:
        ids = ", ".join(row.id for row in rubric.criteria)
        return f"there is no check {mark.check[:80]!r}: use adjustment, or one of {ids}."
    if not 0 <= mark.points <= worth:
        return f"{mark.check} gives 0 to {worth:g} points, not {mark.points:g}: use adjustment for anything beside it."
    return ""


def login_name() -> str:
    """Return the login name of the user who runs this program; `somebody` if it is unknown."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a user id without a name, as in containers
        return "somebody"


def counts_already(current: Mapping[tuple[str, str], Mark], mark: Mark) -> bool:
    """Return whether `current` has the same points and comment for the same file already; see `Marks.current`."""
    there = current.get((mark.student, mark.check))
    return there is not None and replace(there, by=mark.by, at=mark.at) == mark


def _refuse_conflicts(before: Marks, marks: Iterable[Mark], version: int | None, roster: Roster) -> None:
    about = {(who, mark.check) for mark, ids in _with_sharers(marks, roster) for who in ids}
    for entry in () if version is None else before.entries[max(0, version) :]:
        if (entry.mark.student, entry.mark.check) in about:
            gave = "wrote about" if line_of(entry.mark.check) else f"gave {counted(entry.mark.points, 'point')} for"
            did = "withdrew the mark of" if entry.withdrawn else gave
            what = f"{line_of(entry.mark.check) or entry.mark.check} of {label_of(roster, entry.mark.student)}"
            raise MarkConflict(f"meanwhile {giver(entry.mark)} {did} {what}: look at it first.")


def _with_sharers(marks: Iterable[Mark], roster: Roster) -> Iterator[tuple[Mark, list[str]]]:
    """Yield each mark with the ids of those for whom it can count, its own student first; see `marks_of`."""
    partners = {student.id: handin.students for handin in roster.handins for student in handin.students}
    for mark in marks:
        others = () if mark.check == ADJUSTMENT else partners.get(mark.student, ())
        yield mark, [mark.student, *(other.id for other in others)]


def giver(mark: Mark) -> str:
    """Return who gave `mark` and when, in words."""
    return f"{mark.by}, {mark.at:%Y-%m-%d %H:%M} UTC," if mark.at else mark.by or "somebody"


def add_entries(store: Store, before: Marks, entries: Sequence[Entry]) -> Marks:
    """Append `entries` with author and time to `before`, write and return the result. The caller must hold `locked`."""
    if not entries:
        return before
    now = datetime.now(UTC).replace(microsecond=0)
    marks = (replace(entry.mark, by=entry.mark.by or login_name(), at=entry.mark.at or now) for entry in entries)
    signed = (replace(entry, mark=mark) for entry, mark in zip(entries, marks, strict=True))
    after = replace(before, entries=(*before.entries, *signed))
    write_record(store.marks, after)
    return after


@contextmanager
def locked(store: Store) -> Iterator[None]:
    """Lock the marks and reusable comments of this batch, so that one process or thread at a time changes them."""
    path = store.root / ".marks.lock"
    deadline = time.monotonic() + _LOCK_LIMIT_S
    try:
        lock = path.open("ab")
    except OSError as error:
        raise UsageError(f"{path} cannot be written ({error.strerror}): marks need a writable folder.") from error
    with lock:
        while not take_lock(lock.fileno(), waits=False):
            if time.monotonic() > deadline:
                raise GraderError(f"somebody else is writing {store.marks} since {_LOCK_LIMIT_S:g} s: try again.")
            time.sleep(0.02)
        yield


def import_marks(store: Store, table: Path, by: str = "", *, may_replace: bool = False) -> tuple[Marks, int]:
    """Add the marks of a CSV, ODS or XLSX with the columns student, check, points and comment; all of them or none.

    Rows without points and comment are ignored, so that a list can be filled step by step. Returns the new history and
    the number of new marks.

    Raises:
        MarkConflict: a row differs from an existing mark, and `may_replace` is false.
        UsageError: as `give_mark`, or the table cannot be read; the text names the row.
    """
    roster, rubric = read_roster(store), batch_rubric(store)
    marks = []
    for place, row in read_records(table, columns("student", "check", "points", "comment"), optional=("comment",)):
        where = f"{table.name}, row {place}"
        if row["points"] or row["comment"]:
            points = number(row["points"], where, "points")
            try:
                mark = Mark(row["student"], row["check"], points, row["comment"], by)
                marks.append(checked_mark(mark, roster, rubric))
            except UsageError as error:
                raise UsageError(f"{where}: {error}") from error
    for pair, count in Counter((mark.student, mark.check) for mark in marks).items():
        if count > 1:
            raise UsageError(f"{table.name} has two rows about {pair[1]} of {pair[0]}: keep one of them.")
    before = read_marks(store)
    if not may_replace:
        _refuse_replacing(before.current, marks, roster)
    after = give_mark(store, *marks, expected_version=None if may_replace else before.version)
    return after, after.version - before.version


def _refuse_replacing(current: Mapping[tuple[str, str], Mark], marks: Iterable[Mark], roster: Roster) -> None:
    for mark, ids in _with_sharers(marks, roster):
        there = next((current[who, mark.check] for who in ids if (who, mark.check) in current), mark)
        if (there.points, there.comment) != (mark.points, mark.comment):
            raise MarkConflict(
                f"{mark.check} of {mark.student} has {counted(there.points, 'point')} from {giver(there)} and the "
                f"table says {mark.points:g}: nothing was imported; say --replace if the table is right."
            )
