"""One upload: what somebody handed in at one time, as a platform shows it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePath
from typing import Any

from grader.course.platforms.entries import Entry
from grader.course.platforms.model import Student
from grader.errors import SubmissionRefused
from grader.reports.story import listed

ARCHIVES = frozenset({".zip", ".rar", ".7z", ".tar", ".tgz"})
"""All but `.zip` are refused by the grading, with a sentence for the student."""
_PACKED = frozenset({".gz", ".xz", ".bz2"})
"""Each packs one file: an archive only where that is a `.tar`. MNIST's four files are none."""
PARTNERS = "students.txt"
_ENDING = re.compile(r"\.[a-z]\w{0,4}")
"""What tells a kind of file, such as `.py`: not the ends of `hw1` and `hw1.zip (1)`."""
_ZIP = b"PK\x03\x04"


@dataclass(frozen=True, slots=True)
class Upload:
    """One upload; `students` are those of whom the platform is sure."""

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


@dataclass(frozen=True, slots=True)
class Found:
    """What one platform's layout gave."""

    platform: str
    uploads: tuple[Upload, ...]
    warnings: tuple[str, ...] = ()


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
    return ending in ARCHIVES or (not _ENDING.fullmatch(ending) and _begins_as_zip(entry))


def _begins_as_zip(entry: Entry) -> bool:
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
