"""Who handed in what: students, hand-ins and the roster of a course, each one frozen value.

A *hand-in* is one file that counts for one or more *students*; it is graded once. Nothing here opens a file.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path


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


@dataclass(frozen=True, slots=True)
class Roster:
    """Everything that was found, in the order of keys."""

    handins: tuple[Handin, ...]
    missing: tuple[Student, ...] = ()
    """Students of the course list who handed in nothing."""
    warnings: tuple[str, ...] = ()
    """Sentences for the TA: twins, older versions that do not count, files that were passed over."""
    platform: str = "folder"
    """Where it came from: `folder`, `moodle`, `canvas` or `gradescope`."""


@dataclass(frozen=True, slots=True)
class Lateness:
    """How late a student's hand-in came, as the course's list says."""

    student: str
    days: float
    comment: str = ""
