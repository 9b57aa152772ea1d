"""Everybody of a course: who they are, what lists and platforms call them, and how they are found.

Whoever somebody types, or a table names, is looked up here: for lists, sheets, lateness, marks, mail and pages. A
*hand-in* is one file that counts for one or more *students*; it is graded once. The course's list is such a table:

    student id,name,email,file
    012345678,Ada Lovelace,ada@example.org,hw1_ada.zip
    987654321,Charles Babbage,charles@example.org,hw1_ada.zip

Two rows with one file are a pair. The column `file` may be missing, or empty for a student who handed in nothing.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from difflib import get_close_matches
from functools import cache
from pathlib import Path, PurePath
from typing import TypeVar

from grader.errors import UsageError
from grader.intake.tables import read_records
from grader.reports.story import listed

_IDS = (
    *("student number", "id number", "sid", "id", "student", "number", "username"),
    *("מספר סטודנט", "מספר זיהוי", "מספר זהות", "תעודת זהות", "ת.ז.", "ת.ז", "סטודנט", "שם משתמש"),
)
_EMAILS = ("e-mail", "mail", "email address", 'כתובת דוא"ל', 'דוא"ל', "דואר אלקטרוני")
_NAMES = ("full name", "student name", "שם מלא", "שם")
COLUMNS = {
    "student": ("student id", *_IDS, "user", "email", *_EMAILS, "name", *_NAMES),
    "student id": _IDS,
    "name": _NAMES,
    "first name": ("שם פרטי",),
    "last name": ("surname", "שם משפחה"),
    "email": _EMAILS,
    "file": ("zip", "submission", "folder", "filename", "קובץ"),
    "check": ("check id", "criterion", "part", "question", "בדיקה"),
    "points": ("score", "mark", "grade", "ניקוד", "ציון"),
    "days": ("days late", "late", "late days", "lateness", "extension", "extra days", "איחור", "ימים", "הארכה"),
    "until": ("due", "deadline", "date", "עד", "תאריך"),
    "comment": ("comments", "feedback", "reason", "remark", "note", "הערה", "הערות"),
}
"""Our names of columns -> what else they are called in lists and tables, the surest first."""
_LISTED = ("student id", "name", "first name", "last name", "email", "file")
_SHOWN = 5
Key = tuple[str, str]
"""What may tell whom a line is about: a kind of name, and a name."""
Person = TypeVar("Person")


@dataclass(frozen=True, slots=True, order=True)
class Student:
    """Somebody who gets a grade."""

    id: str
    """What the course's list, or the learning platform, keys on; unique within a batch."""
    name: str = ""
    email: str = ""

    @property
    def label(self) -> str:
        """Name and id, for people to read."""
        return f"{self.name} ({self.id})" if self.name and self.name != self.id else self.id


@dataclass(frozen=True, slots=True)
class Handin:
    """One submission that counts, and for whom."""

    key: str
    """Name of its folder in the batch: safe for every file system, unique, and the same whenever it is found again."""
    students: tuple[Student, ...]
    path: Path
    """The zip, or a folder of files. An entry of an LMS archive is unpacked to a file before it gets here."""
    sha256: str
    platform_folder: str = ""
    """The folder that the learning platform gave it, such as `Name_12345_assignsubmission_file_`, for feedback."""
    handed_in_at: datetime | None = None
    flags: tuple[str, ...] = ()
    """Reasons for a TA to look, such as the same content from another student. Doubt is not guilt."""
    problem: str = ""
    """Why its file cannot be read here; then there is no digest, nothing is graded, and nobody loses a point for it."""

    @property
    def labels(self) -> tuple[str, ...]:
        """Whose it is, for people to read."""
        return tuple(student.label for student in self.students)

    @property
    def names(self) -> str:
        """The students' names, or ids where they have none."""
        return ", ".join(student.name or student.id for student in self.students)


@dataclass(frozen=True, slots=True)
class Roster:
    """Everything that was found, in the order of keys."""

    handins: tuple[Handin, ...]
    missing: tuple[Student, ...] = ()
    """Students of the course list who handed in nothing."""
    warnings: tuple[str, ...] = ()
    """Sentences for the TA: twins, older versions that do not count, files that were passed over."""
    platform: str = "folder"
    """Where it came from: a name in `platforms.PLATFORMS`."""


@dataclass(frozen=True, slots=True)
class Directory:
    """Who is in the course, and whose the files are as far as a list says."""

    students: tuple[Student, ...] = ()
    files: Mapping[str, tuple[Student, ...]] = field(default_factory=dict)
    """Folded name of a file or folder -> whose it is."""

    def owners(self, label: str) -> tuple[Student, ...]:
        """Return whose the file or folder `label` is; empty if the list does not say."""
        return self.files.get(fold(label)) or self.files.get(fold(PurePath(label).stem)) or ()

    def known(self, student: Student) -> Student:
        """Return the entry of a student whom a platform or file names; the same one if there is none, or several.

        By id, with or without leading zeros, by e-mail address, or by a name that only one student has.
        """
        return next((matches[0] for matches in self._matches(student) if len(matches) == 1), student)

    def find(self, word: str) -> Student:
        """Return the student with the id, address or name `word`; spreadsheets eat leading zeros of ids.

        Raises:
            UsageError: nobody is called so, or several are.
        """
        name = word.strip()
        if matches := next(self._matches(Student(name, name, name)), []):
            if len(matches) == 1:
                return matches[0]
            names = listed([student.label for student in matches], _SHOWN)
            raise UsageError(f"{word!r} may be {names}: name the student by id.")
        if near := self._near(word):
            raise UsageError(f"there is no student {word[:80]!r} in this batch: do you mean {listed(near, _SHOWN)}?")
        ids = ", ".join(student.id for student in self.students[:_SHOWN])
        more = ", ..." if len(self.students) > _SHOWN else ""
        raise UsageError(f"there is no student {word[:80]!r} in this batch: its ids are {ids or 'none'}{more}.")

    def _matches(self, student: Student) -> Iterator[list[Student]]:
        """Yield who has the same id, the same but for zeros, the same address, the same name, if anybody has."""
        for number, key in enumerate(_keys_of(student)):
            if matches := [other for other in self.students if key and _keys_of(other)[number] == key]:
                yield matches

    def _near(self, word: str) -> list[str]:
        """Return who has all parts of `word` in id, name or address, and else whose name is written nearly so."""
        parts = word.casefold().split()
        near = []
        for student in self.students:
            text = f"{student.id} {student.name} {student.email}".casefold()
            if parts and all(part in text for part in parts):
                near.append(student.label)
        if near:
            return near
        names = {student.name.casefold(): student.label for student in self.students if student.name}
        return [names[name] for name in get_close_matches(" ".join(parts), names, _SHOWN)]


def all_students(roster: Roster) -> tuple[Student, ...]:
    """Return everybody, those who handed in nothing included, sorted by id."""
    return tuple(sorted({*(student for handin in roster.handins for student in handin.students), *roster.missing}))


def label_of(roster: Roster, student: str) -> str:
    """Return name and id of the student with this id, and the id alone if nobody here has it."""
    return next((somebody.label for somebody in all_students(roster) if somebody.id == student), student)


def find_student(roster: Roster, word: str) -> Student:
    """Return and raise what `Directory.find` does, among all of a batch."""
    return Directory(all_students(roster)).find(word)


def find_handin(roster: Roster, word: str) -> Handin:
    """Return the hand-in with the key `word`, or that of the student `word`.

    Raises:
        UsageError: neither exists, or the student handed in nothing.
    """
    by_key = {handin.key: handin for handin in roster.handins}
    if word in by_key:
        return by_key[word]
    student = find_student(roster, word)
    for handin in roster.handins:
        if student in handin.students:
            return handin
    raise UsageError(f"{student.id} handed in nothing: there is nothing to look at.")


def match_lines(lines: Sequence[Sequence[Key]], people: Iterable[tuple[Person, Iterable[Key]]]) -> list[Person | None]:
    """Return for each line whom it is about: by the first of its keys that one line and one person alone have.

    So where several share a name, on either side, nobody gets another's grade.
    """
    known: dict[Key, Person | None] = {}
    for person, keys in people:
        for key in {(kind, same_text(name)) for kind, name in keys}:
            known[key] = None if key in known else person
    folded = [[(kind, same_text(name)) for kind, name in line] for line in lines]
    counts = Counter(key for line in folded for key in set(line))
    clear = [[key for key in line if key[1] and counts[key] == 1 and known.get(key) is not None] for line in folded]
    return [known[keys[0]] if keys else None for keys in clear]


def read_course_list(path: Path | None) -> Directory:
    """Return the list in the CSV, ODS or XLSX file `path`; an empty one without a path.

    Raises:
        UsageError: there is no such file, it is no table with a column of ids, or a row contradicts another one.
    """
    if path is None:
        return Directory()
    students: dict[str, Student] = {}
    files: dict[str, tuple[Student, ...]] = {}
    file_of: dict[str, str] = {}
    for number, row in read_records(path, columns(*_LISTED), optional=_LISTED[1:]):
        if not row["student id"]:
            raise UsageError(f"{path}, row {number}: the student id is missing")
        name = row["name"] or f"{row['first name']} {row['last name']}".strip()
        student = Student(row["student id"], name, row["email"])
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
    return Directory(tuple(students.values()), files)


def columns(*names: str) -> dict[str, tuple[str, ...]]:
    """Return the words for columns of these names, as tables are read with."""
    return {name: COLUMNS[name] for name in names}


def fold(name: str) -> str:
    """Return a name as it is compared: without regard to case, Unicode form and the path that stands before it."""
    return unicodedata.normalize("NFC", name).strip().replace("\\", "/").rstrip("/").rsplit("/", 1)[-1].casefold()


def same_text(text: str) -> str:
    """Return a cell as it is compared: without regard to case and spaces."""
    return " ".join(text.split()).casefold()


@cache
def _keys_of(student: Student) -> tuple[str, str, str, str]:
    """Return what a student may be found by: id, id without leading zeros, e-mail address, name.

    The letters of the name stand in an order that is the same for `Ada Lovelace` and Canvas's `lovelaceada`.
    """
    who = student.id.strip().casefold()
    letters = sorted(filter(str.isalnum, unicodedata.normalize("NFC", student.name).casefold()))
    return student.id, who.lstrip("0") if who.isdigit() else who, student.email.strip().casefold(), "".join(letters)
