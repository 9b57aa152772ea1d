"""The course's list: a table of students, which may also say whose each file is.

    student id,name,email,file
    012345678,Ada Lovelace,ada@example.org,hw1_ada.zip
    987654321,Charles Babbage,charles@example.org,hw1_ada.zip

Two rows with one file are a pair. The column `file` may be missing, or empty for a student who handed in nothing.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from grader.course.platforms.model import Student
from grader.errors import UsageError
from grader.intake.tables import read_records

_ID_TITLES = ("student number", "id number", "sid", "id", "student", "number", "username")
_HEBREW_ID_TITLES = ("מספר סטודנט", "מספר זיהוי", "מספר זהות", "תעודת זהות", "ת.ז.", "ת.ז", "סטודנט", "שם משתמש")
_COLUMNS = {
    "student id": (*_ID_TITLES, *_HEBREW_ID_TITLES),
    "name": ("full name", "student name", "שם מלא", "שם"),
    "first name": ("שם פרטי",),
    "last name": ("surname", "שם משפחה"),
    "email": ("e-mail", "mail", "email address", 'כתובת דוא"ל', 'דוא"ל', "דואר אלקטרוני"),
    "file": ("zip", "submission", "folder", "filename", "קובץ"),
}
"""Our names of the columns -> what else they are called in lists, the surest first."""


@dataclass(frozen=True, slots=True)
class CourseList:
    """Who is in the course, and whose the files are as far as the list says."""

    students: tuple[Student, ...] = ()
    files: Mapping[str, tuple[Student, ...]] = field(default_factory=dict)
    """Folded name of a file or folder -> whose it is."""

    def owners(self, label: str) -> tuple[Student, ...]:
        """Return whose the file or folder `label` is; empty if the list does not say."""
        return self.files.get(fold(label)) or self.files.get(fold(PurePath(label).stem)) or ()

    def known(self, student: Student) -> Student:
        """Return the list's entry for a student whom a platform or file names; the same one if there is none.

        By id, with or without leading zeros, by e-mail address, or by a name that only one student has.
        """
        for key_of in (_id_key, _email_key, _name_key):
            key = key_of(student)
            same = [listed for listed in self.students if key and key_of(listed) == key]
            if len(same) == 1:
                return same[0]
        return student


def read_course_list(path: Path | None) -> CourseList:
    """Return the list in the CSV, ODS or XLSX file `path`; an empty one without a path.

    Raises:
        UsageError: there is no such file, it is no table with a column of ids, or a row contradicts another one.
    """
    if path is None:
        return CourseList()
    students: dict[str, Student] = {}
    files: dict[str, tuple[Student, ...]] = {}
    file_of: dict[str, str] = {}
    for number, row in read_records(path, _COLUMNS, optional=tuple(_COLUMNS)[1:]):
        student = _student(path, number, row)
        if students.setdefault(student.id, student) != student:
            raise UsageError(
                f"{path}, row {number}: student {student.id} stands there twice, with different names or addresses"
            )
        file = fold(row["file"])
        if file and file_of.setdefault(student.id, file) != file:
            raise UsageError(f"{path}, row {number}: student {student.id} has two files: leave one row")
        if file:
            files[file] = tuple(dict.fromkeys((*files.get(file, ()), student)))
    if not students:
        raise UsageError(f"{path} lists no student: write one row per student below the header")
    return CourseList(tuple(students.values()), files)


def fold(name: str) -> str:
    """Return a name as it is compared: without regard to case, Unicode form and the path that stands before it."""
    return unicodedata.normalize("NFC", name).strip().replace("\\", "/").rstrip("/").rsplit("/", 1)[-1].casefold()


def _student(path: Path, number: int, row: Mapping[str, str]) -> Student:
    if not row["student id"]:
        raise UsageError(f"{path}, row {number}: the student id is missing")
    name = row["name"] or f"{row['first name']} {row['last name']}".strip()
    return Student(row["student id"], name, row["email"])


def _id_key(student: Student) -> str:
    return student.id.strip().casefold().lstrip("0")


def _email_key(student: Student) -> str:
    return student.email.strip().casefold()


def _name_key(student: Student) -> str:
    """Return the letters of the name in an order that is the same for `Ada Lovelace` and Canvas's `lovelaceada`."""
    return "".join(sorted(filter(str.isalnum, unicodedata.normalize("NFC", student.name).casefold())))
