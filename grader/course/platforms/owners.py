"""Whose an upload is: the platform's word, the course's list, the file's name, and what `students.txt` claims.

The platform knows who uploaded, and a TA's list is the TA's word. `students.txt` is written by a student: it may add a
partner, and never take the place of what somebody handed in under their own name.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from grader.course.platforms.courselist import CourseList
from grader.course.platforms.entries import Entry
from grader.course.platforms.loose import ids_in
from grader.course.platforms.model import Student
from grader.course.platforms.uploads import Upload
from grader.errors import SubmissionRefused
from grader.intake.archive import ZIP_ERRORS
from grader.model import printable

_MOST_BYTES = 4096
_MOST_PARTNERS = 8
_MOST_MEMBERS = 5000
_MOST_ARCHIVE_BYTES = 64 << 20
_EMAIL = re.compile(r"[^\s,;<>]+@[^\s,;<>]+")


@dataclass(frozen=True, slots=True)
class Owned:
    """An upload with those who hand it in."""

    upload: Upload
    sure: tuple[Student, ...]
    claimed: tuple[Student, ...] = ()
    """Partners whom only `students.txt` names."""


def owned(upload: Upload, course: CourseList, platform: CourseList) -> Owned:
    """Return `upload` with its students; `platform` has those whom the platform names, one of whom a partner may be."""
    by_label = course.owners(upload.label) or next(filter(None, (course.owners(f.name) for f in _single(upload))), ())
    sure = by_label or tuple(map(course.known, upload.students)) or _named_in(upload.label, course)
    claims = tuple(dict.fromkeys(_meant(student, course, platform) for student in _claims(upload)))
    if not sure and claims:
        sure, claims = claims, ()  # nobody else says whose it is
    if not sure:
        sure = (course.known(Student(printable(upload.folder or upload.label, 100))),)
    return Owned(upload, _plain(sure), _plain(student for student in claims if student not in sure))


def _meant(claim: Student, course: CourseList, platform: CourseList) -> Student:
    """Return whom a line of `students.txt` means: it has the student's number, where Moodle has one of its own."""
    listed = course.known(claim)
    return listed if listed != claim else course.known(platform.known(claim))


def parse_partners(text: str) -> tuple[Student, ...]:
    """Return the students of a `students.txt`: one per line, an id and perhaps name and e-mail address in any order."""
    found = []
    for line in printable(text, _MOST_BYTES).lstrip("\ufeff\N{REPLACEMENT CHARACTER}").splitlines():
        email = _EMAIL.search(line)
        rest = _EMAIL.sub(" ", line)
        ids = ids_in(rest)
        name = " ".join(re.sub(r"[\d,;<>\t]+", " ", rest).split())
        if ids or name:
            found.append(Student(ids[0] if ids else name, name, email[0] if email else ""))
    return tuple(dict.fromkeys(found))[:_MOST_PARTNERS]


def _single(upload: Upload) -> Sequence[Entry]:
    """Return the upload's archive, whose own name the list may have; a platform calls all of them alike."""
    return upload.files if not upload.students and len(upload.files) == 1 else ()


def _named_in(label: str, course: CourseList) -> tuple[Student, ...]:
    """Return the students of the list whose id is a word of the file's name, such as a user name."""
    words = set(re.split(r"[\s_]+", re.sub(r"\.\w+$", "", label).casefold()))
    return tuple(student for student in course.students if student.id.casefold() in words)


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
    return tuple(
        dict.fromkeys(
            replace(
                student,
                id=printable(student.id, 100),
                name=printable(student.name, 200),
                email=printable(student.email, 200),
            )
            for student in students
        )
    )
