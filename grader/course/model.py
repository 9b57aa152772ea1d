"""Frozen values that say what a batch grades and how; its JSON files; the Protocol of the backends that run gradings.

    roster (hand-ins of students)  +  reports of hand-ins  +  marks of TAs  =  grade sheet (one row per student)

A backend runs `grader.course.job.run_job` once per job, each in its own process. The input of a job is the file
`store.task(key)`, which is written before `run` is called. Its output is the folder `store.folder(key)`, in which
`store.job(key)` is written last. So the disk shows which jobs are done, even if a process was killed.
Files are checked strictly when they are read, and are written atomically.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeVar

import msgspec

from grader.assignment import DEFAULT, load_assignment
from grader.course.people import Handin, Roster
from grader.errors import UsageError
from grader.intake.datasets import DIGITS
from grader.intake.disk import write_atomically
from grader.model import Rubric
from grader.reports.files import EVIDENCE_FILE, valid_json
from grader.reports.story import listed
from grader.scoring.rubric import load_rubric

JOB, PROVISIONAL_FILE = "job.json", "provisional.json"
"""Files beside the evidence: that of `Store.job`, and the platform's own observations where `merge` has joined them."""


class _Below:
    """A path below the folder of a batch."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, store: Store, _kind: object = None) -> Path:
        """Return the path in `store`."""
        return store.root / self._name


@dataclass(frozen=True, slots=True)
class Store:
    """The paths of a batch. Its files are the only state.

    out/<batch>/
        batch.json                 the options of the batch: folder, assignment, seed and others
        roster.json                the hand-ins and their students
        rubric.toml                the rubric of the sheets, if it is not the assignment's own
        late.csv, lms/             late days, and the tables downloaded from the learning platform
        deadline.json, extensions.csv   inputs for counting late days; the result is late-counted.csv
        handins/<key>.zip          hand-ins from a learning platform's archive, unpacked once, and packed loose files
        tasks/<key>.json           what is to be graded, and how; written before the grading starts
        logs/<key>.txt             what the process of a grading printed
        submissions/<key>/         evidence.json, report.html, results.json, junit.xml of one grading
        submissions/<key>/job.json  the fingerprint of this evidence; written last
        marks.json                 the marks of TAs; every change with its author and time
        comments.json              reusable comments with points, from which TAs choose
        notes.txt                  notes from the last writing of the sheets
        similarity.json            the similar hand-ins; similarity.html and similarity/ show them
        mail/                      one text for each student, from a template
        grades.csv, junit.xml, index.html, feedback.zip, moodle.csv, canvas.csv, ...   made from all files above
    """

    root: Path
    settings, roster, rubric = _Below("batch.json"), _Below("roster.json"), _Below("rubric.toml")
    late, counted_late = _Below("late.csv"), _Below("late-counted.csv")
    deadline, extensions = _Below("deadline.json"), _Below("extensions.csv")
    lms, handins, submissions = _Below("lms"), _Below("handins"), _Below("submissions")
    publishing = _Below("lms/publishing.json")
    marks, comments, similarities = _Below("marks.json"), _Below("comments.json"), _Below("similarity.json")

    def folder(self, key: str) -> Path:
        """The folder with all results of the hand-in `key`."""
        return self.submissions / key

    def evidence(self, key: str) -> Path:
        """The file with the observations of the hand-in `key`."""
        return self.folder(key) / EVIDENCE_FILE

    def job(self, key: str) -> Path:
        """The file with the fingerprint of the evidence."""
        return self.folder(key) / JOB

    def task(self, key: str) -> Path:
        """The file that says what is to be graded, and how."""
        return self.root / "tasks" / f"{key}.json"

    def log(self, key: str) -> Path:
        """The file with the output of the grading's process."""
        return self.root / "logs" / f"{key}.txt"


@dataclass(frozen=True, slots=True)
class GradingOptions:
    """How all hand-ins of a batch are graded: the options of `grader grade`, as plain values."""

    assignment: str = DEFAULT
    data: str = "data"  # a folder, or `digits`
    device: str = "auto"
    sandbox: str = "auto"
    only: tuple[str, ...] = ()  # check ids, or their first words; empty for all
    explain: bool = False

    @property
    def folder(self) -> Path | None:
        """The folder in which MNIST may be; None if the digits are asked for."""
        return None if self.data == DIGITS else Path(self.data)


@dataclass(frozen=True, slots=True)
class Job:
    """A hand-in with everything that its grading depends on; equal fingerprints mean the same grading."""

    handin: Handin
    fingerprint: dict[str, str] = field(default_factory=dict)
    """Name of a part, such as `submission`, `checks`, `grader` or `options` -> its value or digest. The rubric is not a
    part: when it changes, old evidence is scored again."""
    how: GradingOptions = field(default_factory=GradingOptions)
    seed: int = 0
    regrade_id: str = ""  # id of the regrade request of this job, so that a killed batch knows which part of it is done
    joins: bool = False  # whether observations of checks in `how.only` join the old evidence, instead of replacing it


Announce = Callable[[str, str], None]
"""Called with the key of a hand-in and its state in a few words: the id of the check that runs, or `starts`, ...

An empty key only means that time has passed.
"""


@dataclass(frozen=True, slots=True)
class Finished:
    """A job that will not run again: its result is on the disk, or the grader failed."""

    key: str
    problem: str = ""  # why there is no result; never the student's fault: it becomes `error` evidence, not zero points


class Backend(Protocol):
    """Runs gradings."""

    def run(self, jobs: Sequence[Job], store: Store, announce: Announce) -> Iterator[Finished]:
        """Grade all `jobs` and yield each once, as soon as it has ended, in any order.

        If the process of a job is lost, the backend starts it again, a limited number of times. Closing the iterator
        early (Ctrl-C) ends the running gradings.

        Raises:
            GraderError: nothing can be graded, for example because a cluster refuses.
        """
        ...


Record = TypeVar("Record")
_SHOWN = 5
_NOT_UTF8 = "\0"  # first character of a path that is written as hexadecimal bytes; no real path can contain it


def write_record(path: Path, record: Any) -> Path:
    """Write `record`, a dataclass or struct, as indented JSON; `GraderError` if the disk refuses."""
    plain = valid_json(msgspec.to_builtins(record, enc_hook=_path_text))
    return write_atomically(path, msgspec.json.format(msgspec.json.encode(plain, order="sorted"), indent=1) + b"\n")


def write_if_changed(path: Path, content: bytes) -> Path:
    """Write `content` unless the file has this content already, and return the path."""
    return path if holds(path, content) else write_atomically(path, content)


def holds(path: Path, content: bytes) -> bool:
    """Return whether a file has this content."""
    try:
        return path.stat().st_size == len(content) and path.read_bytes() == content
    except OSError:
        return False


def read_record(path: Path, kind: type[Record]) -> Record:
    """Return the record that `write_record` wrote; `UsageError` if the file is missing or has other content."""
    try:
        raw = path.read_bytes()
    except FileNotFoundError as error:
        raise UsageError(_no_batch(path)) from error
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}): name the folder of a batch") from error
    try:
        return msgspec.json.decode(raw, type=kind, dec_hook=_decode)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"{path} is not what a batch writes ({error}): delete it and run the batch again") from error


def _no_batch(path: Path) -> str:
    """Return why a file of a batch is missing, with the batches that exist nearby."""
    if path != Store(path.parent).roster:
        return f"{path} is missing: name the folder of a batch, or run the batch again"
    folder = next(each for each in (path.parent, *path.parent.parents) if each.is_dir())
    names = sorted(each.name for each in folder.iterdir() if each.is_dir() and not each.name.startswith("."))
    there = f"{folder}/ has {listed(names, _SHOWN)}" if names else f"{folder}/ has no folder"
    batches = [str(folder / name) for name in names if Store(folder / name).roster.is_file()]
    named = f"; name a batch, such as {listed(batches, _SHOWN)}" if batches else "; make batch writes one"
    return f"there is no batch in {path.parent}/: {there}{named}"


def _path_text(path: Path) -> str:
    """Return `path` as text; a path that is not UTF-8 becomes hexadecimal bytes."""
    raw = os.fsencode(path)
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return f"{_NOT_UTF8}{raw.hex()}"


def _decode(kind: type[Any], value: Any) -> Any:
    if kind is Path and isinstance(value, str):
        is_hex = value.startswith(_NOT_UTF8)
        return Path(os.fsdecode(bytes.fromhex(value.removeprefix(_NOT_UTF8))) if is_hex else value)
    raise TypeError(f"{kind.__name__} cannot be read from a batch's file")


def batch_rubric(store: Store) -> Rubric:
    """Return the rubric of the batch's folder if there is one, else the assignment's own.

    Raises:
        UsageError: this is no batch, or it has graded nothing yet, so that its assignment is unknown.
        StaffError: the rubric is wrong.
    """
    return load_rubric(store.rubric) if store.rubric.is_file() else load_assignment(batch_assignment(store)).rubric


def batch_assignment(store: Store) -> str:
    """Return the name of the batch's assignment; raises as `batch_rubric`."""
    return first_job(store).how.assignment


def first_job(store: Store) -> Job:
    """Return the first task of the batch, which says how it grades; raises as `batch_rubric`."""
    for handin in read_record(store.roster, Roster).handins:
        if store.task(handin.key).is_file():
            return read_record(store.task(handin.key), Job)
    raise UsageError(f"{store.root} has graded nothing yet: run the batch first.")
