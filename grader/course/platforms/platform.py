"""The Protocol of learning platforms, with its arguments and results, and the platform `folder`.

    its download --find--> uploads          who handed in what, and when, if the platform says
    its table    --read--> people           names, addresses, times, folders for feedback
    its table    --fill--> the same table, with grades and comments
    its export   --parse--> the results of its autograder

A new platform is one new module; README.md of `grader/course/` shows an example. `folder` stands for a folder that a TA
has filled, with an archive or a folder per submission; students' ids may be in the names.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePath
from typing import Any, Protocol

from grader.course.people import Handin, Roster, Student
from grader.course.platforms.entries import Entry
from grader.errors import SubmissionRefused
from grader.model import Rubric
from grader.reports.story import listed

ARCHIVES = frozenset({".zip", ".rar", ".7z", ".tar", ".tgz"})
"""The grading refuses all but `.zip`, with a sentence for the student."""
_PACKED = frozenset({".gz", ".xz", ".bz2"})
"""Each packs one file, which is an archive only if that file is a `.tar`; MNIST's four files are no archives."""
PARTNERS = "students.txt"
_ENDING = re.compile(r"\.[a-z]\w{0,4}")  # a real file ending, such as `.py`, unlike the end of `hw1.zip (1)`
_ZIP = b"PK\x03\x04"
FEEDBACK_NAME = "report.html"
_BAD = re.compile(r"[^\w.\- ()]+")
_LONGEST = 120


@dataclass(frozen=True, slots=True)
class Upload:
    """The files handed in at one time; `students` are certain, from the platform and later from the roster."""

    label: str  # its name on the platform or in the TA's folder; for messages, and to find it in the course's list
    files: tuple[Entry, ...]  # loose files; if the first is an archive, it counts, with those of others that it lacks
    students: tuple[Student, ...] = ()
    folder: str = ""
    at: datetime | None = None
    at_from: str = ""  # the source of the time `at`, in words
    number: int = 0  # the platform's number; it orders uploads that have no time, so a later upload has a higher number
    partners: tuple[Entry, ...] = ()  # files named `students.txt` beside the archive
    notes: tuple[str, ...] = ()  # sentences for the TA
    claimed: tuple[Student, ...] = ()  # partners whom only `students.txt` names; the roster fills this in


@dataclass(frozen=True, slots=True)
class Found:
    """The uploads that one platform found, and its warnings."""

    uploads: tuple[Upload, ...]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Grade:
    """The values that a platform's table may get for one student."""

    student: Student
    handin: Handin | None = None
    is_graded: bool = False  # whether there is a report
    points: float | None = None  # None if the score is undecided, or there is none
    text: str = ""  # the comment that the student reads beside the points, in lines


@dataclass(frozen=True, slots=True)
class Filling:
    """How a table is filled."""

    rubric: Rubric
    column: str = ""  # the column to fill, if the table has one for each assignment


@dataclass(frozen=True, slots=True)
class Line:
    """The values for one student in a platform's table; empty where the table has none."""

    name: str = ""
    email: str = ""
    came: str = ""  # when the hand-in came, as the platform writes it
    folder: str = ""  # the folder in which the platform looks for feedback


class Platform(Protocol):
    """A learning platform. The defaults here fit a platform without tables, which only says who handed in."""

    name: str  # its name in rosters and options
    title: str  # its name for people
    tells_time: bool = False  # whether the uploads' times are the times of handing in
    has_own_ids: bool = False  # whether its downloads name students by numbers of its own, no ids of the course's list
    table: str = ""  # the platform's word for its table of grades; empty if there is none to fill
    example: str = ""  # the usual name of that file
    table_tells_time: bool = False  # whether the table has the times of handing in
    has_columns: bool = False  # whether its table has a column for each assignment
    download: str = ""  # how a TA gets the table, for messages
    upload: str = ""  # how a TA uploads the filled table; `{file}` stands for it
    advice: str = ""  # further advice about its hand-ins; `{batch}` stands for the batch's folder
    export: str = ""  # name of the file in which it exports the results of its autograder; empty if it has none

    def find(self, entries: Sequence[Entry]) -> Found | None:
        """Return the uploads among the files of a download; None if it is not from this platform."""

    def read(self, table: Path, roster: Roster) -> Mapping[str, Line]:  # noqa: ARG002 - for those that have a table
        """Return student id -> the table's values; `UsageError` if this is not the platform's table."""
        return {}

    def fill(self, table: Path | None, grades: Sequence[Grade], how: Filling) -> tuple[bytes, tuple[str, ...]] | None:  # noqa: ARG002 - as above
        """Return the table with `grades`, and sentences for the TA; without a table a new table, or None if impossible.

        Raises:
            UsageError: the table cannot be read or is not the platform's, or it is unclear which column is meant.
        """
        return None

    def feedback_path(self, handin: Handin, student: str) -> str:  # noqa: ARG002 - as above
        """Return the path of a student's report in `feedback.zip`; empty if the platform would not find the student."""
        return f"{safe_name(student)}/{FEEDBACK_NAME}"

    def results_folder(self, handin: Handin, student: str) -> str:  # noqa: ARG002 - as above
        """Return the folder of a student's results in the zip for Gradescope."""
        return safe_name(student)

    def parse(self, raw: bytes) -> Any:  # noqa: ARG002 - as above
        """Return an export as a document that contains the grader's own records; `ValueError` if it is no export."""
        return None


def pairs_of(roster: Roster) -> list[Grade]:
    """Return all students of a roster with their hand-ins but without grades, to match them with lines of a table."""
    return [*(Grade(who, handin) for handin in roster.handins for who in handin.students), *map(Grade, roster.missing)]


def choose_files(
    label: str, entries: Sequence[Entry], age: Callable[[Entry], Any] = lambda entry: (entry.modified, entry.parts)
) -> tuple[tuple[Entry, ...], tuple[Entry, ...], tuple[str, ...]]:
    """Return the files of one upload that count, the lists of partners beside them, and sentences for the TA.

    Of several archives, the one with the highest `age` counts, zips first. It is the first of the files.
    """
    partners = tuple(entry for entry in entries if is_partners(entry))
    rest = [entry for entry in entries if not is_partners(entry)]
    archives = [entry for entry in rest if is_archive(entry)]
    if not archives:
        return tuple(rest), partners, ()
    best = max(archives, key=lambda entry: (entry.name.lower().endswith(".zip"), age(entry)))
    others = ["/".join(entry.parts) for entry in archives if entry is not best]
    note = f"{label}: {best.name} counts, and not {listed(others)}: if they belong together, make one zip of them"
    return (best, *(entry for entry in rest if entry not in archives)), partners, (note,) if others else ()


def is_archive(entry: Entry) -> bool:
    """Return whether the file's name is an archive's; if the name has no real ending, the first bytes decide."""
    name = PurePath(entry.name.lower())
    ending = PurePath(name.stem).suffix if name.suffix in _PACKED else name.suffix
    if ending in ARCHIVES or _ENDING.fullmatch(ending):
        return ending in ARCHIVES
    try:
        return entry.head(len(_ZIP)) == _ZIP
    except SubmissionRefused:
        return False  # the error is reported when the file is graded


def is_partners(entry: Entry) -> bool:
    """Return whether the file lists the students of the hand-in beside it."""
    return entry.name.lower() == PARTNERS or entry.name.lower().endswith(f".{PARTNERS}")


def by_first_folder(entries: Sequence[Entry]) -> Iterator[tuple[str, tuple[Entry, ...]]]:
    """Yield each top folder with its files, their paths relative to it; files at the top are left out."""
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        if len(entry.parts) > 1:
            group = groups.setdefault(entry.parts[0], [])
            if entry.name:
                group.append(entry.below(1))
    yield from ((name, tuple(group)) for name, group in groups.items())


def safe_name(text: str) -> str:
    """Return `text` as a safe name for one folder: no path, no hidden name, no special characters.

    Moodle finds the participant between the first two underscores, so bad characters become `-`, never `_`. The middle
    of a long name is cut out, because the number is near its end.
    """
    name = _BAD.sub("-", text).strip(". ")
    return f"{name[:60]}{name[-60:]}" if len(name) > _LONGEST else name or "-"


_ID = re.compile(r"(?<!\d)\d{5,9}(?!\d)")  # student and identity numbers; shorter ones are years and exercise numbers
_DATE = re.compile(r"20\d\d(0\d|1[0-2])([0-2]\d|3[01])|([0-2]\d|3[01])(0\d|1[0-2])20\d\d")
"""A year, month and day as eight digits, in this order or in the opposite one."""
_LISTS = frozenset({".csv", ".ods", ".xlsx", ".txt", ".md", ".html", ".json", ".toml"})
"""Endings of a TA's own files, which may be beside the hand-ins."""
_TIME = "the file's time"


class Plain(Platform):
    """Zips and folders without a platform."""

    name, title = "folder", "A folder"

    def find(self, entries: Sequence[Entry]) -> Found | None:
        """Return the uploads."""
        entries = _unwrapped(entries)
        top = [entry for entry in entries if len(entry.parts) == 1]
        # A single `.py`, or an incomplete download, counts as a hand-in if its name has a student's id.
        files = [entry for entry in top if is_archive(entry) or (ids_in(entry.name) and not _is_list(entry))]
        folders = tuple(by_first_folder(entries))
        passed = [entry.name for entry in top if entry not in files and not is_partners(entry)]
        uploads = (*_of_files(files, top), *_of_folders(folders))
        return Found(uploads, tuple(f"passed over {name}, which is no archive" for name in passed))


def ids_in(name: str) -> tuple[str, ...]:
    """Return the ids in a file's name, in their order; a date is none."""
    return tuple(dict.fromkeys(word for word in _ID.findall(name) if not _DATE.fullmatch(word)))


def _unwrapped(entries: Sequence[Entry]) -> Sequence[Entry]:
    """Return the contents of the only folder, if it contains several hand-ins and is not a hand-in itself."""
    tops = {entry.parts[0] for entry in entries if entry.name}
    inside = [entry.below(1) for entry in entries if entry.parts[0] in tops and len(entry.parts) > 1]
    if len(tops) != 1 or ids_in(min(tops)) or len(inside) < len(entries):
        return entries
    files = [entry for entry in inside if len(entry.parts) == 1 and not _is_list(entry)]
    names = {entry.parts[0] for entry in inside if entry.name and not (len(entry.parts) == 1 and _is_list(entry))}
    is_handin = any(entry.name and not is_archive(entry) for entry in files)
    return entries if is_handin or len(names) < 2 else [entry for entry in inside if entry.parts != ("",)]  # noqa: PLR2004 - several


def _is_list(entry: Entry) -> bool:
    return PurePath(entry.name).suffix.lower() in _LISTS


def _of_files(files: Sequence[Entry], top: Sequence[Entry]) -> Iterator[Upload]:
    for entry in files:
        stem = PurePath(entry.name).stem
        beside = tuple(other for other in top if other.name.lower() == f"{stem.lower()}.students.txt")
        yield Upload(
            entry.name,
            (entry,),
            tuple(map(Student, ids_in(stem))),
            folder=stem,
            at=entry.modified,
            at_from=_TIME,
            partners=beside,
        )


def _of_folders(folders: Sequence[tuple[str, tuple[Entry, ...]]]) -> Iterator[Upload]:
    for name, group in folders:
        archives = [entry for entry in group if len(entry.parts) == 1 and is_archive(entry)]
        if not ids_in(name) and len({ids_in(entry.name) for entry in archives} - {()}) > 1:
            yield from _of_files(archives, group)  # several hand-ins in one folder
            continue
        files, partners, notes = choose_files(name, group)
        ids = ids_in(name) or (ids_in(PurePath(files[0].name).stem) if archives or len(files) == 1 else ())
        at = max((entry.modified for entry in files), default=None)
        yield Upload(name, files, tuple(map(Student, ids)), name, at, _TIME, 0, partners, notes)


def owner_of(handin: Handin) -> str:
    """Return the id of the student whose folder on the platform a hand-in lies in; empty if no id or name says so."""
    name, *parts = handin.platform_folder.split("_")
    letters = _sorted_letters(name)  # a course list may have the parts of a name in another order
    named = (one.id for one in handin.students if one.id in parts or _sorted_letters(one.name) == letters)
    return next(named, "") if len(handin.students) > 1 else handin.students[0].id


def _sorted_letters(text: str) -> list[str]:
    return sorted(filter(str.isalpha, text.casefold()))
