"""The files of a job array, on a file system that the login node and the compute nodes share.

<batch>/slurm/<token>/
    keys.json       the key of the hand-in that each task grades, by index
    script.sh       the script that each task runs
    logs/<index>.txt    the output of the task; its first line names the node
    ended/<index>   written when the task has ended by itself; contains the reason if it failed, else it is empty

A task runs `python -m grader.course.cluster.arrays ARRAY` on its node, and grades one hand-in as the local pool does.
A task that is started twice does no harm: it does not repeat a finished grading, and files are written atomically. Exit
codes: 0 graded, 3 the grader failed. Results are written to the batch as always: to `store.folder(key)`, with
`store.job(key)` last.
"""

import os
import secrets
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from threadpoolctl import threadpool_limits

from grader.assignment import OUTSIDE, outside_folder
from grader.course.job import is_done, run_job
from grader.course.model import Job, Store, read_record, write_record
from grader.errors import GraderError
from grader.intake.disk import write_atomically
from grader.model import printable

_LOG_TAIL_BYTES = 2000


@dataclass(frozen=True, slots=True)
class Array:
    """A job array: `keys[index]` is the hand-in that task `index` grades."""

    path: Path
    keys: tuple[str, ...]

    @property
    def name(self) -> str:
        """The unique name of the job, chosen before the job exists, so that a killed batch finds the job again."""
        return f"grader-{self.path.name}"

    @property
    def script(self) -> Path:
        """The script that each task runs."""
        return self.path / "script.sh"

    def list_ended(self) -> list[int]:
        """Return the indexes of the tasks that have ended by themselves.

        Lists the folder instead of testing single names, because NFS caches for a minute that a file is missing.
        """
        try:
            return sorted(int(file.name) for file in (self.path / "ended").iterdir() if file.name.isdecimal())
        except OSError:
            return []  # the network file system does not answer: the next call may succeed

    def read_problem(self, index: int) -> str:
        """Return why an ended task failed; empty if it did not fail."""
        try:
            return printable((self.path / "ended" / str(index)).read_text(errors="replace").strip())
        except OSError as error:
            return f"its end cannot be read ({error.strerror})"

    def describe_loss(self, index: int) -> str:
        """Return a description of a task that ended without a result: its node, and the last line that it printed."""
        lines = self._read_log(index)
        if not lines:
            return "its task was cancelled or lost before it began"
        return f"its task ended early on {lines[0]}" + (f", it last printed: {lines[-1]}" if lines[1:] else "")

    def remove(self) -> None:
        """Delete all files of the array; files that cannot be deleted stay, such as one that a task has open."""
        shutil.rmtree(self.path, ignore_errors=True)

    def _read_log(self, index: int) -> list[str]:
        """Return the first line of a task's output, and its last lines."""
        try:
            with (self.path / "logs" / f"{index}.txt").open("rb") as file:
                first, size = file.readline(_LOG_TAIL_BYTES), file.seek(0, os.SEEK_END)
                file.seek(max(file.seek(len(first)), size - _LOG_TAIL_BYTES))
                rest = file.read().strip()
        except OSError:
            return []
        return [printable(line, 300) for line in (first + rest).decode(errors="replace").splitlines()]


def make_array(store: Store, keys: Sequence[str], python: str) -> Array:
    """Write the files of a new array that grades `keys` with `python`; `GraderError` if the disk refuses."""
    array = Array((store.root / "slurm" / secrets.token_hex(4)).absolute(), tuple(keys))
    try:
        for name in ("ended", "logs"):
            (array.path / name).mkdir(parents=True)
    except OSError as error:
        raise GraderError(
            f"{array.path} cannot be made ({error.strerror}): free some space or choose another folder with --out"
        ) from error
    write_atomically(array.script, _write_script(array.path, python).encode())
    write_record(array.path / "keys.json", array.keys)
    return array


def read_array(path: Path) -> Array:
    """Return the array whose files are in `path`; `GraderError` if there is none."""
    return Array(path, read_record(path / "keys.json", tuple[str, ...]))


def find_arrays(store: Store) -> list[Array]:
    """Return the arrays that earlier runs of the batch have left behind; folders without `keys.json` are ignored."""
    return [read_array(file.parent.absolute()) for file in sorted(store.root.glob("slurm/*/keys.json"))]


def _write_script(path: Path, python: str) -> str:
    """Return a shell script that prints its node's name first, even if `python` is missing, and then grades."""
    outside = outside_folder()
    return (
        "#!/bin/sh\n"
        'echo "${SLURMD_NODENAME:-$(hostname)}"\n'
        '[ -d "${TMPDIR:-/tmp}" ] || unset TMPDIR\n'
        + (f"export {OUTSIDE}={shlex.quote(str(outside))}\n" if outside else "")
        + f"exec {shlex.quote(python)} -m grader.course.cluster.arrays {shlex.quote(str(path))}\n"
    )


OK, FAILED = 0, 3


def run_task(array: Array, index: int) -> int:
    """Grade the hand-in of task `index`, write `ended/<index>`, return the exit code; `GraderError` if it fails."""
    store, problem = Store(array.path.parent.parent), ""
    try:
        job = read_record(store.task(array.keys[index]), Job)
        if not is_done(store, job):
            run_job(store, job, _print_line)
    except GraderError as error:
        problem = str(error)
        _print_line(f"grader: {problem}")
    write_atomically(array.path / "ended" / str(index), problem.encode())
    return FAILED if problem else OK


def _print_line(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def main(arguments: Sequence[str], environment: Mapping[str, str] = os.environ) -> int:
    """Run the task of this job; return the exit code."""
    index = environment.get("SLURM_ARRAY_TASK_ID", "")
    if len(arguments) != 1 or not index.isdecimal():
        _print_line("usage: python -m grader.course.cluster.arrays ARRAY, as a task of a job array")
        return FAILED
    threadpool_limits(1)  # the grader's own matrices are small; the submission needs the cores
    try:
        return run_task(read_array(Path(arguments[0])), int(index))
    except GraderError as error:
        _print_line(f"grader: {error}")
        return FAILED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
