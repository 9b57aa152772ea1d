"""What a learning platform is to the rest: the one Protocol, and the values that pass through it.

    its download --find--> uploads          who handed in what, and when as far as it tells
    its table    --read--> people           names, addresses, times, folders for feedback
    its table    --fill--> the same, with grades and comments
    its export   --parse--> what its autograder found

Whoever adds a platform writes one module; README.md of `grader/course/` shows one. Without a platform there is a folder
that a TA filled, an archive or folder per submission; ids stand in the names, if anywhere.
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
"""All but `.zip` are refused by the grading, with a sentence for the student."""
_PACKED = frozenset({".gz", ".xz", ".bz2"})
"""Each packs one file: an archive only where that is a `.tar`. MNIST's four files are none."""
PARTNERS = "students.txt"
_ENDING = re.compile(r"\.[a-z]\w{0,4}")
"""What tells a kind of file, such as `.py`: not the ends of `hw1` and `hw1.zip (1)`."""
_ZIP = b"PK\x03\x04"
FEEDBACK_NAME = "report.html"
_BAD = re.compile(r"[^\w.\- ()]+")
_LONGEST = 120


@dataclass(frozen=True, slots=True)
class Upload:
    """What somebody handed in at one time; `students` are those of whom the platform, and then the roster, is sure."""

    label: str
    """What the platform, or the TA's folder, calls it; for messages, and for the course's list."""
    files: tuple[Entry, ...]
    """One archive, or loose files."""
    students: tuple[Student, ...] = ()
    folder: str = ""
    at: datetime | None = None
    at_from: str = ""
    """Whose time `at` is, in words."""
    number: int = 0
    """The platform's running number: later uploads have higher ones."""
    partners: tuple[Entry, ...] = ()
    """Files named `students.txt` beside the archive."""
    notes: tuple[str, ...] = ()
    """What the TA should know."""
    claimed: tuple[Student, ...] = ()
    """Partners whom only `students.txt` names; the roster looks for them."""


@dataclass(frozen=True, slots=True)
class Found:
    """What one platform's layout gave."""

    uploads: tuple[Upload, ...]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Grade:
    """What a platform's table may get for one student."""

    student: Student
    handin: Handin | None = None
    is_graded: bool = False
    """Whether there is a report."""
    points: float | None = None
    """None while the score is open, or there is none."""
    text: str = ""
    """What the student reads beside the points, in lines."""


@dataclass(frozen=True, slots=True)
class Filling:
    """How a table is filled."""

    rubric: Rubric
    takes_open: bool = False
    """Whether what is open counts by its lower end."""
    column: str = ""
    """Which column is meant, where the table has one for each assignment."""


@dataclass(frozen=True, slots=True)
class Line:
    """What a platform's table says of one student; empty where it says nothing."""

    name: str = ""
    email: str = ""
    came: str = ""
    """When the hand-in came, as the platform writes it."""
    folder: str = ""
    """Where it looks for feedback."""


class Platform(Protocol):
    """A learning platform. What is given here holds for one without tables, that tells nothing but who handed in."""

    name: str
    """As in rosters and options."""
    title: str
    """For people."""
    tells_time: bool = False
    """Whether the uploads' times are when they were handed in."""
    table: str = ""
    """What its table of grades is called; empty where there is none to fill."""
    example: str = ""
    """What that file is usually called."""
    table_tells_time: bool = False
    """Whether it says when hand-ins came."""
    has_columns: bool = False
    """Whether its table has a column for each assignment."""
    download: str = ""
    """What a TA does to get the table."""
    upload: str = ""
    """What a TA does with the filled one; `{file}` stands for it."""
    advice: str = ""
    """What else can be done with its hand-ins; `{batch}` stands for the batch's folder."""
    export: str = ""
    """Name of the file in which it exports what its autograder found; empty where it has none."""

    def find(self, entries: Sequence[Entry]) -> Found | None:
        """Return the uploads among the files of a download; None if it is nothing of this platform's."""

    def read(self, table: Path, roster: Roster) -> Mapping[str, Line]:  # noqa: ARG002 - for those that have a table
        """Return id of a student -> what the table says; `UsageError` if it is no such table."""
        return {}

    def fill(self, table: Path | None, grades: Sequence[Grade], how: Filling) -> tuple[bytes, tuple[str, ...]] | None:  # noqa: ARG002 - as above
        """Return the table with `grades` and sentences for the TA; of no table a new one, None if that cannot be.

        Raises:
            UsageError: it cannot be read, is no such table, or it is unclear which column is meant.
        """
        return None

    def feedback_path(self, handin: Handin, student: str) -> str:  # noqa: ARG002 - as above
        """Return where a student's report goes in `feedback.zip`; empty if the platform would not find its owner."""
        return f"{safe_name(student)}/{FEEDBACK_NAME}"

    def results_folder(self, handin: Handin, student: str) -> str:  # noqa: ARG002 - as above
        """Return the folder of a student's results in the zip for Gradescope."""
        return safe_name(student)

    def parse(self, raw: bytes) -> Any:  # noqa: ARG002 - as above
        """Return an export as a document in which the grader's own records stand; `ValueError` if it is none."""
        return None


def pairs_of(roster: Roster) -> list[Grade]:
    """Return everybody in a roster with their hand-ins, without grades: whom lines of a table may be about."""
    handed_in = [Grade(student, handin) for handin in roster.handins for student in handin.students]
    return [*handed_in, *map(Grade, roster.missing)]


def choose_files(
    label: str, entries: Sequence[Entry], age: Callable[[Entry], Any] = lambda entry: (entry.modified, entry.parts)
) -> tuple[tuple[Entry, ...], tuple[Entry, ...], tuple[str, ...]]:
    """Return what counts of one upload's files, the lists of partners beside it, and what is to be said about it.

    An archive counts alone; of several, the zip with the highest `age`. Without one, the loose files count together.
    """
    partners = tuple(entry for entry in entries if is_partners(entry))
    rest = [entry for entry in entries if not is_partners(entry)]
    archives = [entry for entry in rest if is_archive(entry)]
    if not archives:
        return tuple(rest), partners, ()
    best = max(archives, key=lambda entry: (entry.name.lower().endswith(".zip"), age(entry)))
    others = ["/".join(entry.parts) for entry in rest if entry is not best]
    note = f"{label}: {best.name} counts, and not {listed(others)}"
    return (best,), partners, (note,) if others else ()


def is_archive(entry: Entry) -> bool:
    """Whether the file's name is that of an archive; where the ending was lost, its first bytes say so."""
    name = PurePath(entry.name.lower())
    ending = PurePath(name.stem).suffix if name.suffix in _PACKED else name.suffix
    if ending in ARCHIVES or _ENDING.fullmatch(ending):
        return ending in ARCHIVES
    try:
        return entry.head(len(_ZIP)) == _ZIP
    except SubmissionRefused:
        return False  # said when it is to be graded


def is_partners(entry: Entry) -> bool:
    """Whether the file lists the students of its neighbour."""
    return entry.name.lower() == PARTNERS or entry.name.lower().endswith(f".{PARTNERS}")


def by_first_folder(entries: Sequence[Entry]) -> Iterator[tuple[str, tuple[Entry, ...]]]:
    """Yield each folder at the top with its files, if any, named from there; files at the top are left out."""
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        if len(entry.parts) > 1:
            group = groups.setdefault(entry.parts[0], [])
            if entry.name:
                group.append(entry.below(1))
    yield from ((name, tuple(group)) for name, group in groups.items())


def safe_name(text: str) -> str:
    """Return `text` as a name for one folder: nothing that leaves it, hides it, or confuses a file system.

    Moodle finds the participant between the first two underscores, so that no other character becomes one; of a long
    name the middle goes, because the number stands near its end.
    """
    name = _BAD.sub("-", text).strip(". ")
    return f"{name[:60]}{name[-60:]}" if len(name) > _LONGEST else name or "-"


_ID = re.compile(r"(?<!\d)\d{5,9}(?!\d)")
"""Student numbers and identity numbers; shorter ones are years and exercise numbers."""
_DATE = re.compile(r"20\d{6}")
_LISTS = frozenset({".csv", ".ods", ".xlsx", ".txt", ".md", ".html", ".json", ".toml"})
"""A TA's own files, which may lie beside the hand-ins."""
_TIME = "the file's time"


class Plain(Platform):
    """Zips and folders without a platform."""

    name, title = "folder", "A folder"

    def find(self, entries: Sequence[Entry]) -> Found | None:
        """Return the uploads."""
        entries = _unwrapped(entries)
        top = [entry for entry in entries if len(entry.parts) == 1]
        # A lone `.py`, or half a download, is somebody's if its name has a student's id.
        named = [entry for entry in top if any(not _DATE.fullmatch(word) for word in ids_in(entry.name))]
        files = [entry for entry in top if is_archive(entry) or (entry in named and not _is_list(entry))]
        folders = tuple(by_first_folder(entries))
        passed = [entry.name for entry in top if entry not in files and not is_partners(entry)]
        uploads = (*_of_files(files, top), *_of_folders(folders))
        return Found(uploads, tuple(f"passed over {name}, which is no archive" for name in passed))


def ids_in(name: str) -> tuple[str, ...]:
    """Return the ids that a file's name holds, in its order."""
    return tuple(dict.fromkeys(_ID.findall(name)))


def _unwrapped(entries: Sequence[Entry]) -> Sequence[Entry]:
    """Return what lies in the only folder, where that holds several hand-ins and is not one itself."""
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
            yield from _of_files(archives, group)  # hand-ins that were put into a folder together
            continue
        files, partners, notes = choose_files(name, group)
        ids = ids_in(name) or (ids_in(PurePath(files[0].name).stem) if len(files) == 1 else ())
        at = max((entry.modified for entry in files), default=None)
        yield Upload(name, files, tuple(map(Student, ids)), name, at, _TIME, 0, partners, notes)
