"""The files of job arrays, on a file system that login node and compute nodes share.

<batch>/slurm/<array>/
    array.json              which task grades which hand-in; written before the array is submitted
    id                      what `sbatch` answered; written after it
    script.sh               what each task runs
    beats/<index>           a count that grows while the task lives, and its node
    tries/<index>-<random>/ a batch root of its own for each attempt: two attempts never write into one folder
    done/<index>/           the whole result; appears by rename, so the first attempt that ends is the one that counts
    logs/<index>.txt        what the task printed

Tasks only write below here. The process of the batch alone moves results to where they count.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import shlex
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.assignment import OUTSIDE, outside_folder
from grader.batch.files import read_record, write_record
from grader.batch.store import Store
from grader.errors import GraderError
from grader.model import printable
from grader.reports.files import write_atomically

TROUBLE = "trouble.txt"
"""Stands in a result in place of evidence: why the grading failed on our side."""
_LOG_TAIL_BYTES = 2000


@dataclass(frozen=True, slots=True)
class Task:
    """One task of an array."""

    key: str
    digest: str
    """Of what was to be graded, as it was submitted."""


@dataclass(frozen=True, slots=True)
class Array:
    """`array.json`."""

    number: int
    name: str
    """The job's name, like no other's: by it, the array is found again in Slurm."""
    tasks: tuple[Task, ...]


@dataclass(frozen=True, slots=True)
class ArrayFolder:
    """An array and where its files lie."""

    path: Path
    array: Array

    @property
    def name(self) -> str:
        """The job's name."""
        return self.array.name

    @property
    def script(self) -> Path:
        """What each task runs."""
        return self.path / "script.sh"

    @property
    def is_surely_submitted(self) -> bool:
        """Whether `sbatch` has said so."""
        return (self.path / "id").exists()

    def note_id(self, job_id: str) -> None:
        """Remember that the array was submitted."""
        write_atomically(self.path / "id", job_id.encode())

    def find_results(self) -> Iterator[int]:
        """Yield the indices of tasks whose result is whole.

        Lists the folder instead of asking for single names, because NFS remembers for a minute what was not there.
        """
        try:
            names = [result.name for result in (self.path / "done").iterdir()]
        except OSError:
            return  # deleted, or a network file system that is away: the next look may see it
        yield from sorted(int(name) for name in names if name.isdecimal())

    def read_beat(self, index: int) -> str:
        """Return the last sign of life of a task, or an empty text; opening it anew makes NFS look for the truth."""
        try:
            return (self.path / "beats" / str(index)).read_text(errors="replace").strip()
        except OSError:
            return ""

    def read_node(self, index: int) -> str:
        """Return the node that the last sign of life came from, or an empty text."""
        return self.read_beat(index).partition(" ")[2]

    def read_log(self, index: int) -> str:
        """Return the end of what the task printed."""
        try:
            with (self.path / "logs" / f"{index}.txt").open("rb") as file:
                size = file.seek(0, os.SEEK_END)
                file.seek(max(0, size - _LOG_TAIL_BYTES))
                return file.read().decode(errors="replace").strip()
        except OSError:
            return ""

    def take_result(self, index: int, store: Store) -> str:
        """Move the result of a task to where it counts, and return the trouble if it is none."""
        result = self.path / "done" / str(index)
        trouble = result / TROUBLE
        if trouble.exists():
            text = printable(trouble.read_text(errors="replace").strip()) or "the grading failed without a reason"
            shutil.rmtree(result, ignore_errors=True)
            return text
        folder = store.folder(self.array.tasks[index].key)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "job.json").unlink(missing_ok=True)
        for file in sorted(result.iterdir(), key=lambda file: file.name == "job.json"):
            file.replace(folder / file.name)
        result.rmdir()
        return ""

    def remove(self) -> None:
        """Delete all files of the array; what a task that is just ending still holds stays."""
        shutil.rmtree(self.path, ignore_errors=True)


def digest_of(task_file: Path) -> str:
    """Return what tells one wish to grade from another: a digest of what is to be graded, and how.

    Raises:
        GraderError: there is no such file.
    """
    try:
        return hashlib.sha256(task_file.read_bytes()).hexdigest()
    except OSError as error:
        message = f"{task_file} cannot be read ({error.strerror}): run the batch again"
        raise GraderError(message) from error


def make_array(store: Store, tasks: Sequence[Task], python: str) -> ArrayFolder:
    """Write the files of a new array whose tasks run `python` of their node.

    Raises:
        GraderError: the disk refuses.
    """
    token = secrets.token_hex(4)
    number = max((folder.array.number for folder in find_arrays(store)), default=0) + 1
    path = _root(store) / f"{number:04}-{token}"
    folder = ArrayFolder(path, Array(number, f"grader-{token}", tuple(tasks)))
    try:
        for name in ("beats", "tries", "done", "logs"):
            (path / name).mkdir(parents=True)
    except OSError as error:
        message = f"{path} cannot be made ({error.strerror}): free some space or choose another folder with --out"
        raise GraderError(message) from error
    write_atomically(folder.script, _write_script(path.absolute(), python).encode())
    write_record(path / "array.json", folder.array)
    return folder


def find_arrays(store: Store) -> list[ArrayFolder]:
    """Return all arrays of the batch in the order in which they were made; unfinished folders are passed over."""
    found = [ArrayFolder(file.parent, read_record(file, Array)) for file in _root(store).glob("*/array.json")]
    return sorted(found, key=lambda folder: folder.array.number)


def read_array(path: Path) -> ArrayFolder:
    """Return the array whose files lie in `path`; `GraderError` if there is none."""
    return ArrayFolder(path, read_record(path / "array.json", Array))


def _root(store: Store) -> Path:
    return store.root / "slurm"


def _write_script(path: Path, python: str) -> str:
    """Return a script that leaves a first sign of life, even where `python` is missing or slow to start."""
    outside = outside_folder()
    return (
        "#!/bin/sh\n"
        f'echo "0 ${{SLURMD_NODENAME:-$(hostname)}}" > {shlex.quote(str(path))}/beats/"$SLURM_ARRAY_TASK_ID"\n'
        '[ -d "${TMPDIR:-/tmp}" ] || unset TMPDIR\n'
        + (f"export {OUTSIDE}={shlex.quote(str(outside))}\n" if outside else "")
        + f"exec {shlex.quote(python)} -m grader.batch.cluster.array_task {shlex.quote(str(path))}\n"
    )
