"""The students of a course, their names in lists and on platforms, and how they are found.

All lookups of students by typed text or by a table's line are here: for lists, sheets, lateness, marks, mail and pages.
A *hand-in* is one file that counts for one or more *students*; it is graded once. The course's list is such a table:

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
    "days": ("days late", "late", "late days", "lateness", "איחור", "ימים"),
    "extra days": ("days", "extension", "ימים", "הארכה"),
    "until": ("due", "deadline", "date", "עד", "תאריך"),
    "comment": ("comments", "feedback", "reason", "remark", "note", "הערה", "הערות"),
}
"""Our names of columns -> other names for them in lists and tables, the most reliable first."""
_LISTED = ("student id", "name", "first name", "last name", "email", "file")
_SHOWN = 5
Key = tuple[str, str]  # a kind of name and the name itself, by which a line of a table can be matched to a student
Person = TypeVar("Person")


@dataclass(frozen=True, slots=True, order=True)
class Student:
    """A person who gets a grade."""

    id: str  # the student's id in the course's list or on the learning platform; unique within a batch
    name: str = ""
    email: str = ""

    @property
    def label(self) -> str:
        """Name and id, for people to read."""
        return f"{self.name} ({self.id})" if self.name and self.name != self.id else self.id


@dataclass(frozen=True, slots=True)
class Handin:
    """One submission that counts, and the students for whom it counts."""

    key: str  # name of its folder in the batch: safe on every file system, unique, and the same in every run
    students: tuple[Student, ...]
    path: Path  # the archive on the disk. Entries of a platform's archive were unpacked before, and loose files packed
    sha256: str
    platform_folder: str = ""  # its folder on the platform, such as `Name_12345_assignsubmission_file_`, for feedback
    handed_in_at: datetime | None = None
    flags: tuple[str, ...] = ()  # reasons for a TA to look, such as another student's content. A flag proves nothing
    problem: str = ""  # why its file cannot be read here: `sha256` is empty, nothing is graded, and nobody loses points

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of its students, for people to read."""
        return tuple(student.label for student in self.students)


@dataclass(frozen=True, slots=True)
class Roster:
    """All hand-ins that were found, in the order of keys, with missing students and warnings."""

    handins: tuple[Handin, ...]
    missing: tuple[Student, ...] = ()  # students of the course list who handed in nothing
    warnings: tuple[str, ...] = ()  # for the TA: equal hand-ins, older versions that do not count, ignored files
    platform: str = "folder"  # the platform of the download: a name in `platforms.PLATFORMS`


@dataclass(frozen=True, slots=True)
class Directory:
    """The students of the course, and the owners of files if a list names them."""

    students: tuple[Student, ...] = ()
    files: Mapping[str, tuple[Student, ...]] = field(default_factory=dict)  # folded name of file or folder -> owners

    def owners(self, label: str) -> tuple[Student, ...]:
        """Return the owners of the file or folder `label`; empty if the list does not name it."""
        return self.files.get(fold(label)) or self.files.get(fold(PurePath(label).stem)) or ()

    def known(self, student: Student, *, has_own_id: bool = False) -> Student:
        """Return the list's entry for `student`, whom a platform or file names; `student` itself if there is no match.

        Id, id without leading zeros, e-mail address and name are tried in turn, until exactly one entry matches. If the
        student's id is a platform's own number, entries with another name do not match.
        """
        alone = (matches[0] for matches in self._matches(student) if len(matches) == 1)
        names = {"", _keys_of(student)[3]}
        return next((one for one in alone if not has_own_id or _keys_of(one)[3] in names), student)

    def find(self, word: str) -> Student:
        """Return the student with the id, address or name `word`; ids may lack leading zeros, as from spreadsheets.

        Raises:
            UsageError: no student has this id, address or name, or several have it.
        """
        name = word.strip()
        if matches := next(self._matches(Student(name, name, name)), []):
            if len(matches) == 1:
                return matches[0]
            names = listed([student.label for student in matches], _SHOWN)
            raise UsageError(f"{word!r} may be {names}: name the student by id.")
        if near := self._near(word):
            raise UsageError(f"there is no student {word[:80]!r} in this batch: do you mean {listed(near, _SHOWN)}?")
        ids = listed([student.id for student in self.students], _SHOWN)
        raise UsageError(f"there is no student {word[:80]!r} in this batch: its ids are {ids or 'none'}.")

    def _matches(self, student: Student) -> Iterator[list[Student]]:
        """Yield the students with the same id, the same id without zeros, address, name; empty lists are left out."""
        for number, key in enumerate(_keys_of(student)):
            if matches := [other for other in self.students if key and _keys_of(other)[number] == key]:
                yield matches

    def _near(self, word: str) -> list[str]:
        """Return labels of students with all parts of `word` in id, name or address; else those with similar names."""
        parts = word.casefold().split()
        texts = {student.label: f"{student.id} {student.name} {student.email}".casefold() for student in self.students}
        if near := [label for label, text in texts.items() if parts and all(part in text for part in parts)]:
            return near
        names = {student.name.casefold(): student.label for student in self.students if student.name}
        return [names[name] for name in get_close_matches(" ".join(parts), names, _SHOWN)]


def all_students(roster: Roster) -> tuple[Student, ...]:
    """Return all students, sorted by id, including those who handed in nothing."""
    return tuple(sorted({*(student for handin in roster.handins for student in handin.students), *roster.missing}))


def names_of(roster: Roster) -> dict[str, str]:
    """Return key -> names of the hand-in's students, for pages; with ids where two have one name."""
    everybody = all_students(roster)
    count = Counter(same_text(student.name) for student in everybody if student.name)
    shown = {each: each.name if count[same_text(each.name)] == 1 else each.label for each in everybody}
    return {handin.key: ", ".join(map(shown.__getitem__, handin.students)) for handin in roster.handins}


def label_of(roster: Roster, student: str) -> str:
    """Return name and id of the student with this id; the id alone if no student of the roster has it."""
    return next((somebody.label for somebody in all_students(roster) if somebody.id == student), student)


def find_student(roster: Roster, word: str) -> Student:
    """Return the student of the batch that `Directory.find` finds; raise as it does."""
    return Directory(all_students(roster)).find(word)


def find_handin(roster: Roster, word: str) -> Handin:
    """Return the hand-in with the key `word`, or that of the student `word`; `UsageError` if there is none."""
    by_key = {handin.key: handin for handin in roster.handins}
    if word in by_key:
        return by_key[word]
    student = find_student(roster, word)
    for handin in roster.handins:
        if student in handin.students:
            return handin
    raise UsageError(f"{student.id} handed in nothing: there is nothing to look at.")


def match_lines(lines: Sequence[Sequence[Key]], people: Iterable[tuple[Person, Iterable[Key]]]) -> list[Person | None]:
    """Return the person of each line, by its first key that only this line and only one person have; else None.

    So if several lines or several people share a name, the name is not used, and nobody gets another's grade. Of
    several lines with one person, only that with the most reliable key counts: the other one is a namesake's.
    """
    known: dict[Key, Person | None] = {}
    for person, keys in people:
        for key in {*_folded(keys)}:
            known[key] = None if key in known else person
    folded = [[*_folded(line)] for line in lines]
    counts = Counter(key for line in folded for key in set(line))
    clear = ([(at, known.get(key)) for at, key in enumerate(line) if key[1] and counts[key] == 1] for line in folded)
    found = [next((one for one in line if one[1] is not None), (0, None)) for line in clear]
    places: dict[Person | None, list[int]] = {}
    for at, who in found:
        places.setdefault(who, []).append(at)
    return [who if min(places[who]) == at and places[who].count(at) == 1 else None for at, who in found]


def _folded(keys: Iterable[Key]) -> Iterator[Key]:
    """Yield keys in the form in which they are compared; last, numbers without leading zeros, as from spreadsheets."""
    same = [(kind, same_text(name)) for kind, name in keys]
    yield from (*same, *((f"{kind} without zeros", name.lstrip("0")) for kind, name in same if name.isdecimal()))


def read_course_list(path: Path | None) -> Directory:
    """Return the list in the table `path`, empty if it is None; `UsageError` if a row is wrong or none is there."""
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
            raise UsageError(f"{path}, row {number}: {student.id} stands there twice, with other names or addresses")
        file = fold(row["file"])
        if file and file_of.setdefault(student.id, file) != file:
            raise UsageError(f"{path}, row {number}: student {student.id} has two files: leave one row")
        if file:
            files[file] = tuple(dict.fromkeys((*files.get(file, ()), student)))
    if not students:
        raise UsageError(f"{path} lists no student: write one row per student below the header")
    return Directory(tuple(students.values()), files)


def columns(*names: str) -> dict[str, tuple[str, ...]]:
    """Return the other names of these columns, in the form in which tables are read."""
    return {name: COLUMNS[name] for name in names}


def fold(name: str) -> str:
    """Return a file name in the form in which names are compared: without case, Unicode form and folders."""
    return unicodedata.normalize("NFC", name).strip().replace("\\", "/").rstrip("/").rsplit("/", 1)[-1].casefold()


def same_text(text: str) -> str:
    """Return a cell in the form in which cells are compared: without case and repeated spaces."""
    return " ".join(text.split()).casefold()


@cache
def _keys_of(student: Student) -> tuple[str, str, str, str]:
    """Return the keys of a student: id, id without case and leading zeros, e-mail address, name.

    The letters of the name are sorted, so that `Ada Lovelace` and Canvas's `lovelaceada` are the same.
    """
    who = student.id.strip().casefold()
    letters = sorted(filter(str.isalnum, unicodedata.normalize("NFC", student.name).casefold()))
    return student.id, who.lstrip("0") if who.isdigit() else who, student.email.strip().casefold(), "".join(letters)
