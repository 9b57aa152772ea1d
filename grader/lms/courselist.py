"""The course's list: a CSV of students, which may also say whose each file is.

    student id,name,email,file
    012345678,Ada Lovelace,ada@example.org,hw1_ada.zip
    987654321,Charles Babbage,charles@example.org,hw1_ada.zip

Two rows with one file are a pair. The column `file` may be missing, or empty for a student who handed in nothing.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from grader.errors import UsageError
from grader.lms.model import Student

_MOST_BYTES = 16 << 20
_ID_TITLES = ("student id", "student number", "id number", "sid", "id", "student", "number", "username")
_HEBREW_ID_TITLES = ("מספר סטודנט", "מספר זיהוי", "מספר זהות", "תעודת זהות", "ת.ז.", "ת.ז", "סטודנט", "שם משתמש")
_COLUMNS = {
    "id": (*_ID_TITLES, *_HEBREW_ID_TITLES),
    "name": ("name", "full name", "student name", "שם מלא", "שם"),
    "first": ("first name", "שם פרטי"),
    "last": ("last name", "surname", "שם משפחה"),
    "email": ("email", "e-mail", "mail", "email address", 'כתובת דוא"ל', 'דוא"ל', "דואר אלקטרוני"),
    "file": ("file", "zip", "submission", "folder", "filename", "file name", "קובץ"),
}
"""Our names of the columns -> what they are called in lists, the surest first."""


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
    """Return the list in the CSV file `path`; an empty one without a path.

    Raises:
        UsageError: there is no such file, it is no CSV with a column of ids, or a row contradicts another one.
    """
    if path is None:
        return CourseList()
    rows = list(_rows(path))
    students: dict[str, Student] = {}
    files: dict[str, tuple[Student, ...]] = {}
    file_of: dict[str, str] = {}
    for number, row in rows:
        student = _student(path, number, row)
        if students.setdefault(student.id, student) != student:
            msg = f"{path}, line {number}: student {student.id} stands there twice, with different names or addresses"
            raise UsageError(msg)
        file = fold(row.get("file", ""))
        if file and file_of.setdefault(student.id, file) != file:
            msg = f"{path}, line {number}: student {student.id} has two files: leave one row"
            raise UsageError(msg)
        if file:
            files[file] = tuple(dict.fromkeys((*files.get(file, ()), student)))
    if not students:
        msg = f"{path} lists no student: write one row per student below the header"
        raise UsageError(msg)
    return CourseList(tuple(students.values()), files)


def fold(name: str) -> str:
    """Return a name as it is compared: without regard to case, Unicode form and the path that stands before it."""
    return unicodedata.normalize("NFC", name).strip().replace("\\", "/").rstrip("/").rsplit("/", 1)[-1].casefold()


def _student(path: Path, number: int, row: Mapping[str, str]) -> Student:
    if not row.get("id"):
        msg = f"{path}, line {number}: the student id is missing"
        raise UsageError(msg)
    name = row.get("name") or f"{row.get('first', '')} {row.get('last', '')}".strip()
    return Student(row["id"], name, row.get("email", ""))


def _rows(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield line numbers and rows, by our own names of the columns; empty rows are left out."""
    text = _read(path)
    try:
        dialect: type[csv.Dialect] | str = csv.Sniffer().sniff(text.partition("\n")[0], ",;\t")
    except csv.Error:
        dialect = "excel"
    reader = csv.reader(io.StringIO(text), dialect, strict=True)
    try:
        header = next(reader, [])
        columns = _places(header)
        if "id" not in columns.values():
            found = ", ".join(repr(title) for title in header[:10]) or "nothing"
            msg = f"{path} has no column 'student id' (it has {found}): name the columns student id,name,email,file"
            raise UsageError(msg)
        for cells in reader:
            row = {columns[index]: cell.strip() for index, cell in enumerate(cells) if index in columns}
            if any(row.values()):
                yield reader.line_num, row
    except csv.Error as error:
        msg = f"{path}, line {reader.line_num}: this is no CSV ({error}): save the list as CSV, UTF-8"
        raise UsageError(msg) from error


def _read(path: Path) -> str:
    try:
        raw = path.read_bytes() if path.stat().st_size <= _MOST_BYTES else None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", "") or "the name is not valid"
        msg = f"the course's list {path} cannot be read ({reason}): name it with --students"
        raise UsageError(msg) from error
    if raw is None or b"\0" in raw:
        msg = f"{path} is no list of students: save it as CSV, UTF-8"
        raise UsageError(msg)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        msg = f"{path} is not UTF-8 (byte {error.start}): save the list as CSV, UTF-8"
        raise UsageError(msg) from error


def _places(header: Sequence[str]) -> dict[int, str]:
    """Return place of a column -> our name of it; where several titles mean the same, the surest."""
    plain = [re.sub(r"[\s_]+", " ", title).strip().casefold().replace("״", '"') for title in header]
    found = (
        (next((plain.index(title) for title in titles if title in plain), -1), name)
        for name, titles in _COLUMNS.items()
    )
    return {place: name for place, name in found if place >= 0}


def _id_key(student: Student) -> str:
    return student.id.strip().casefold().lstrip("0")


def _email_key(student: Student) -> str:
    return student.email.strip().casefold()


def _name_key(student: Student) -> str:
    """Return the letters of the name in an order that is the same for `Ada Lovelace` and Canvas's `lovelaceada`."""
    return "".join(sorted(_letters(student.name)))


def _letters(name: str) -> Iterable[str]:
    return filter(str.isalnum, unicodedata.normalize("NFC", name).casefold())
