"""The words of a batch, each one frozen value.

    roster (hand-ins of students)  +  reports of hand-ins  +  marks of TAs  =  grade sheet (one row per student)

A *hand-in* is one file that counts for one or more *students*; it is graded once. A mark is `grader.model.Mark`.
Nothing here opens a file.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path


@dataclass(frozen=True, slots=True, order=True)
class Student:
    """Somebody who gets a grade."""

    id: str
    """What the course's list, or the learning platform, keys on; unique within a batch."""
    name: str = ""
    email: str = ""


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
    trouble: str = ""
    """Why its file cannot be read here; then there is no digest, nothing is graded, and nobody loses a point for it."""


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


@dataclass(frozen=True, slots=True)
class How:
    """How all hand-ins of a batch are graded: the options of `grader grade`, as plain values."""

    assignment: str = "hw1"
    data: str = "data"
    device: str = "auto"
    sandbox: str = "auto"
    only: tuple[str, ...] = ()
    """Check ids, or their first words; empty for all."""
    explain: bool = False
    limit_s: float = 0.0
    """Wall time per call and import of student code; 0 for the usual one."""


@dataclass(frozen=True, slots=True)
class Job:
    """One hand-in with everything that its grading depends on; two equal fingerprints mean the same grading."""

    handin: Handin
    fingerprint: dict[str, str] = field(default_factory=dict)
    """What it depends on, each part by name: `submission`, `checks`, `grader`, `options`, ... The rubric is not among
    them: old evidence is scored again."""
    how: How = field(default_factory=How)
    seed: int = 0
    errand: str = ""
    """Names the wish to grade again that this job belongs to, so that a killed batch knows what is done of it."""
    joins: bool = False
    """Whether the observations of the checks in `how.only` join the evidence that stands, instead of replacing it."""
