"""Whose an upload is, and which of a student's uploads counts: the newest. Everything that does not count is reported.

The platform knows who uploaded, and a TA's list is the TA's word. `students.txt` is written by a student: it may add a
partner, and never take the place of what somebody handed in under their own name.
"""

import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from grader.course.people import Directory, Student
from grader.course.platforms.entries import Entry
from grader.course.platforms.plain import ids_in
from grader.course.platforms.platform import Upload
from grader.errors import SubmissionRefused
from grader.intake.archive import ZIP_ERRORS, are_parts
from grader.model import printable

_MOST_BYTES = 4096
_MOST_PARTNERS = 8
_MOST_MEMBERS = 5000
_MOST_ARCHIVE_BYTES = 64 << 20
_EARLY = datetime(1970, 1, 1, tzinfo=UTC)
_EMAIL = re.compile(r"[^\s,;<>]+@[^\s,;<>]+")


@dataclass(frozen=True, slots=True)
class Owned:
    """An upload with those who hand it in."""

    upload: Upload
    sure: tuple[Student, ...]
    claimed: tuple[Student, ...] = ()
    """Partners whom only `students.txt` names."""


def owned(upload: Upload, course: Directory, platform: Directory) -> Owned:
    """Return `upload` with its students; `platform` has those whom the platform names, one of whom a partner may be."""
    single = upload.files[0].name if not upload.students and len(upload.files) == 1 else ""  # platforms call all alike
    by_label = course.owners(upload.label) or (course.owners(single) if single else ())
    words = re.split(r"[\s_]+", re.sub(r"\.\w+$", "", upload.label).casefold())  # one may be a user name
    in_label = tuple(student for student in course.students if student.id.casefold() in words)
    sure = by_label or tuple(map(course.known, upload.students)) or in_label
    claims = []
    for claim in _claims(upload):  # students.txt has the student's number, where Moodle has one of its own
        listed = course.known(claim)
        claims.append(listed if listed != claim else course.known(platform.known(claim)))
    if not sure and claims:
        sure, claims = tuple(claims), []  # nobody else says whose it is
    if not sure:
        sure = (course.known(Student(printable(upload.folder or upload.label, 100))),)
    return Owned(upload, _plain(sure), _plain(student for student in claims if student not in sure))


def parse_partners(text: str) -> tuple[Student, ...]:
    """Return the students of a `students.txt`: one per line, an id and perhaps name and e-mail address in any order."""
    students = []
    for line in printable(text, _MOST_BYTES).lstrip("\ufeff\N{REPLACEMENT CHARACTER}").splitlines():
        email = _EMAIL.search(line)
        rest = _EMAIL.sub(" ", line)
        ids = ids_in(rest)
        name = " ".join(re.sub(r"[\d,;<>\t]+", " ", rest).split())
        if ids or name:
            students.append(Student(ids[0] if ids else name, name, email[0] if email else ""))
    return tuple(dict.fromkeys(students))[:_MOST_PARTNERS]


def _claims(upload: Upload) -> Iterator[Student]:
    for entry in upload.partners:
        try:
            yield from parse_partners(entry.head(_MOST_BYTES).decode("utf-8", "replace"))
        except SubmissionRefused:
            continue  # the submission itself is what counts
    for entry in upload.files[:1]:
        if entry.name.lower().endswith(".zip") and entry.size_bytes <= _MOST_ARCHIVE_BYTES:
            yield from parse_partners(_partners_inside(entry))


def _partners_inside(entry: Entry) -> str:
    """Return the text of a `students.txt` in the archive, empty if there is none or the archive is not in order."""
    try:
        with entry.open() as file, zipfile.ZipFile(file) as archive:
            members = archive.infolist()[:_MOST_MEMBERS]
            for info in members:
                parts = info.filename.split("/")
                if len(parts) <= 2 and parts[-1].lower() == "students.txt":  # noqa: PLR2004 - at the top or a folder below
                    with archive.open(info) as member:
                        return member.read(_MOST_BYTES).decode("utf-8", "replace")
    except (*ZIP_ERRORS, RuntimeError, NotImplementedError, SubmissionRefused):
        return ""
    return ""


def _plain(students: Iterable[Student]) -> tuple[Student, ...]:
    """Return the students with bounded, printable names: file names and lists may hold anything."""
    bounded = (
        Student(printable(student.id, 100), printable(student.name, 200), printable(student.email, 200))
        for student in students
    )
    return tuple(dict.fromkeys(bounded))


@dataclass(frozen=True, slots=True)
class Counted:
    """An upload that counts for somebody."""

    owned: Owned
    students: tuple[Student, ...]
    flags: tuple[str, ...] = ()


def count(everything: Sequence[Owned]) -> tuple[tuple[Counted, ...], tuple[str, ...]]:
    """Return the uploads that count, each with the students for whom it does, and what the TA should know."""
    of_student = _best(everything, claims=False)
    claimed = {who: best for who, best in _best(everything, claims=True).items() if who not in of_student}
    names = {student.id: student for owned in everything for student in (*owned.claimed, *owned.sure)}
    counted = []
    for owned in everything:
        own = [names[who] for who, best in of_student.items() if best is owned]
        added = [names[who] for who, best in claimed.items() if best is owned]
        flags = tuple(f"{student.id} is a partner by students.txt only, not by the platform" for student in added)
        if own or (added and not owned.sure):
            counted.append(Counted(owned, tuple(sorted((*own, *added))), flags))
    return tuple(counted), (*_older(everything, of_student), *_overruled(everything, of_student))


def _best(everything: Sequence[Owned], *, claims: bool) -> dict[str, Owned]:
    best: dict[str, Owned] = {}
    for owned in everything:
        for student in owned.claimed if claims else owned.sure:
            if student.id not in best or _age(best[student.id].upload) < _age(owned.upload):
                best[student.id] = owned
    return best


def _age(upload: Upload) -> tuple[int, datetime, str]:
    """Return what grows with time: by number where the platform tells no time, else by time, then by name."""
    return (upload.number if upload.at is None else 0, upload.at or _EARLY, upload.label)


def _older(everything: Sequence[Owned], best: dict[str, Owned]) -> Iterator[str]:
    parts: dict[Student, list[str]] = {}
    for older in everything:
        for student in older.sure:
            newest = best[student.id]
            if newest is not older and are_parts(newest.upload.label, older.upload.label):
                parts.setdefault(student, [newest.upload.label]).append(older.upload.label)
            elif newest is not older:
                how = f" by {newest.upload.at_from}" if newest.upload.at_from else ""
                yield (
                    f"{student.label} handed in twice: {newest.upload.label} counts, being newer{how},"
                    f" and {older.upload.label} does not"
                )
    for student, labels in parts.items():
        yield f"{student.label} handed in an archive that is split into parts: {', '.join(sorted(labels))}"


def _overruled(everything: Sequence[Owned], best: dict[str, Owned]) -> Iterator[str]:
    for claiming in everything:
        for student in claiming.claimed:
            if student.id in best and best[student.id] is not claiming:
                yield (
                    f"{claiming.upload.label} names {student.label} as a partner in students.txt, who handed in"
                    f" {best[student.id].upload.label}: that one counts for them"
                )
