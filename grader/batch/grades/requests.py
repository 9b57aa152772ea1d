"""Regrade requests: each is answered with what an appeal finds, as a text to send, and its state is kept.

Requests come in a table (student, check, text), or a folder of `.txt` and `.eml` files. Said twice, it is one request.

appeal/requests.json          every request with the state in which it was heard; only ever added to
appeal/requests.csv           the same as a table, with the state of today
appeal/answers/<request>.txt  the text to send, and .eml where the student has an address
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from grader.batch.files import read_record, write_record
from grader.batch.grades.appeal import RUNS, Appeal, find_case, hear
from grader.batch.grades.graded import load_batch
from grader.batch.grades.inbox import read_inbox
from grader.batch.grades.letters import make_mail
from grader.batch.grades.marks import locked, marks_of, read_marks
from grader.batch.grades.people import find_handin, find_student
from grader.batch.grades.rules import batch_rubric
from grader.batch.store import Store
from grader.errors import GraderError, UsageError
from grader.intake.tables import csv_bytes, defused
from grader.lms.model import Handin, Roster, Student
from grader.model import Mark, Outcome, Report, Rubric, printable
from grader.reports import write_atomically
from grader.reports.audience import VISIBLE, for_students
from grader.reports.story import finding_text, points_text

ANSWERED, FOR_A_TA, SETTLED, FAILED = "answered", "for a TA", "settled by a mark", "not graded"
_HEAD = ("student", "name", "check", "state", "request", "answer", "evidence")
_TEXT_LIMIT = 4000
_QUOTED = 500


@dataclass(frozen=True, slots=True)
class Request:
    """What a student asks for, and what became of it."""

    student: str
    """The id."""
    check: str
    """The check that it is about; empty for the whole hand-in."""
    text: str
    state: str = ""
    heard_at: datetime | None = None
    why: str = ""
    """What keeps it from being answered, as a sentence."""

    @property
    def id(self) -> str:
        """What tells it from others, and names its answer."""
        words = "\0".join((self.student, self.check, " ".join(self.text.split())))
        return hashlib.sha256(words.encode("utf-8", "replace")).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class _Requests:
    entries: tuple[Request, ...] = ()


def read_requests(store: Store) -> tuple[Request, ...]:
    """Return all requests of a batch with their states of now: who has a mark since is settled."""
    marks = read_marks(store).by_student
    handins = {
        student.id: handin for handin in read_record(store.roster, Roster).handins for student in handin.students
    }
    return tuple(_settled(entry, marks, handins.get(entry.student)) for entry in _stored(store).values())


def answer_requests(
    store: Store, source: Path, runs: int = RUNS, tell: Callable[[str], None] = lambda _text: None
) -> tuple[Request, ...]:
    """Hear every request in `source` that has no answer yet, and return all requests of the batch.

    Each is stored as soon as it is heard, so that what is stopped goes on where it was, and beside what somebody else
    stores meanwhile. One that the grader failed on is heard again the next time.

    Raises:
        UsageError: the requests cannot be read, or name somebody (see `find_strangers`) or a check that is not in the
            batch; none was heard.
    """
    roster = read_record(store.roster, Roster)
    found = {one.id: one for one in _checked(_of_students(source, roster), roster, batch_rubric(store), source)}
    for request in found.values():
        known = _stored(store).get(request.id)
        if known is None or known.state == FAILED:
            tell(f"{find_student(roster, request.student).label}: {request.check or 'the whole hand-in'}")
            _add(store, roster, _hear(store, request, roster, runs, tell))
    _add(store, roster)
    return read_requests(store)


def find_strangers(store: Store, source: Path) -> tuple[str, ...]:
    """Return a sentence for each file of a folder that nobody in the batch has written: it is no request, and is left.

    A folder of mails holds what came; a table was written by somebody who can correct it, and is refused instead.

    Raises:
        UsageError: the folder cannot be read.
    """
    if not source.is_dir():
        return ()
    roster = read_record(store.roster, Roster)
    whys = ((where, _why_stranger(roster, row["student"])) for where, row in read_inbox(source))
    return tuple(f"{where}: {why}" for where, why in whys if why)


def _of_students(source: Path, roster: Roster) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Yield what `read_inbox` finds, but of a folder only what students have written."""
    for where, row in read_inbox(source):
        if not source.is_dir() or not _why_stranger(roster, row["student"]):
            yield where, row


def _why_stranger(roster: Roster, word: str) -> str:
    """Return why `word` names nobody; empty if it names a student."""
    try:
        find_student(roster, word)
    except UsageError as error:
        return str(error)
    return ""


def _stored(store: Store) -> dict[str, Request]:
    """Return the requests by their ids, with the states in which they were heard."""
    path = _folder(store) / "requests.json"
    entries = read_record(path, _Requests).entries if path.exists() else ()
    return {entry.id: entry for entry in entries}


def _add(store: Store, roster: Roster, *heard: Request) -> None:
    """Put `heard` beside what is stored by now, and write the table anew."""
    with locked(store):
        entries = tuple((_stored(store) | {one.id: one for one in heard}).values())
        write_record(_folder(store) / "requests.json", _Requests(entries))
        rows = (_cells(store, roster, one) for one in read_requests(store))
        cells = ([defused(printable(cell)) for cell in row] for row in rows)
        write_atomically(_folder(store) / "requests.csv", csv_bytes([_HEAD, *cells], bom=True))


def _hear(store: Store, request: Request, roster: Roster, runs: int, tell: Callable[[str], None]) -> Request:
    """Grade again and write the answer; return the request with its state."""
    student = find_student(roster, request.student)
    heard = replace(request, heard_at=datetime.now(UTC).replace(microsecond=0))
    report = next((one.reports[student.id] for one in load_batch(store).graded if student.id in one.reports), None)
    if report is not None and _is_for_a_person(report, request.check):
        answer = _text(student, request, report, ["A person decides about these points, and will write to you."])
        _write_answer(store, student, request, report, answer)
        return replace(heard, state=FOR_A_TA, why="its points are given by a person.")
    try:
        case = find_case(store, find_handin(roster, student.id).key)
        appeal = hear(store, case, runs, (request.check,) if request.check else (), tell)
    except GraderError as error:
        return replace(heard, state=FAILED, why=str(error))
    answer = _text(student, request, appeal.runs[-1], list(_found(appeal, request)))
    _write_answer(store, student, request, appeal.runs[-1], answer)
    if appeal.disputed:
        return replace(heard, state=FOR_A_TA, why=appeal.verdict)
    return replace(heard, state=ANSWERED)


def _is_for_a_person(report: Report, check: str) -> bool:
    """Whether no grading could answer: a TA gives the points, or has given them."""
    result = next((one for one in report.results if one.criterion.id == check), None)
    return result is not None and bool(result.mark or result.criterion.marked_by)


def _found(appeal: Appeal, request: Request) -> Iterator[str]:
    """Yield what the gradings say, a paragraph each, without anything that is hidden from students."""
    count = len(appeal.runs)
    yield f"The same file was graded {count} more {'time' if count == 1 else 'times'}, with fresh random inputs."
    if appeal.disputed:
        yield "The gradings do not agree, so that a member of the course staff decides, and will write to you."
        return
    yield "All of them found the same as the grading before:"
    report = for_students(appeal.runs[-1])
    seen = {one.check for one in report.evidence.observations}
    for result in report.results:
        is_asked = result.criterion.id == request.check
        if is_asked or (not request.check and result.criterion.id in seen and result.outcome is not Outcome.PASSED):
            said = finding_text(result.finding) if result.finding else ""
            outcome = str(result.outcome).replace("_", " ")
            yield f"{result.criterion.id}: {outcome}, {points_text(result)} points. {said}".rstrip()
    yield "So the points stay as they are."


def _text(student: Student, request: Request, report: Report, paragraphs: Sequence[str]) -> str:
    about = request.check or "your hand-in"
    quoted = "".join(f"> {line}\n" for line in printable(request.text, _QUOTED).splitlines())
    name = " ".join((student.name or student.id).split())
    opening = f"Dear {name},\n\nyou asked about {about} ({report.rubric.title}):\n\n{quoted}\n"
    return opening + "\n\n".join(paragraphs) + "\n"


def _write_answer(store: Store, student: Student, request: Request, report: Report, text: str) -> None:
    path = _answer(store, request)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, text.encode("utf-8", "replace"))
    if mail := make_mail(student, f"Your request about {report.rubric.title}", text):
        write_atomically(path.with_suffix(".eml"), mail.as_bytes())


def _settled(request: Request, marks: Mapping[str, Mapping[str, Mark]], handin: Handin | None) -> Request:
    """Return `request` as the marks of now leave it, a partner's included; an earlier version stored what they made."""
    if request.state not in {FOR_A_TA, SETTLED} or handin is None:
        return request
    found = marks_of(marks, request.student, handin)
    given = [one.at for one in found if one.at and request.check in {"", one.check}]
    is_later = request.heard_at is not None and any(at >= request.heard_at for at in given)
    return replace(request, state=SETTLED if is_later else FOR_A_TA)


def _checked(
    found: Iterable[tuple[str, Mapping[str, str]]], roster: Roster, rubric: Rubric, source: Path
) -> Iterator[Request]:
    checks = {row.id for row in rubric.criteria if row.visibility == VISIBLE}
    some = False
    for where, row in found:
        some = True
        try:
            student = find_student(roster, row["student"])
        except UsageError as error:
            raise UsageError(f"{where}: {error}") from error
        if row["check"] and row["check"] not in checks:
            raise UsageError(f"{where}: there is no check {row['check'][:80]!r}; leave it empty for the whole hand-in.")
        yield Request(student.id, row["check"], printable(row["text"], _TEXT_LIMIT))
    if not some:
        raise UsageError(f"{source} holds no request of a student: name a table, or a folder of .txt and .eml files.")


def _cells(store: Store, roster: Roster, request: Request) -> tuple[str, ...]:
    student = find_student(roster, request.student)
    key = next((one.key for one in roster.handins if student in one.students), "")
    state = f"{request.state}: {request.why}" if request.why else request.state
    files = (_answer(store, request), _folder(store) / key / "index.html")
    shown = (str(path.relative_to(store.root)) if path.is_file() else "" for path in files)
    return student.id, student.name, request.check, state, request.text, *shown


def _folder(store: Store) -> Path:
    return store.root / "appeal"


def _answer(store: Store, request: Request) -> Path:
    return _folder(store) / "answers" / f"{request.id}.txt"
