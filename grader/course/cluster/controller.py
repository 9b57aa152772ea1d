"""What Slurm's commands are asked, each with a time limit: a controller that hangs costs a wait, never a batch.

Jobs are found by name, because a name is chosen before the job exists: whoever is killed right after `sbatch` finds its
job again. `sacct`, which many clusters lack, is not needed: whether a task was successful is read from the disk.
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.errors import GraderError, UsageError

CALL_LIMIT_S = 40
"""Slurm's own commands give up earlier: after 10 s, asked up to three times."""
_LIST_FORMAT = "%K|%T|%N|%r"
_UNREACHABLE = ("contact", "timed out", "Connection", "Zero Bytes", "communication", "temporarily")


@dataclass(frozen=True, slots=True)
class TaskState:
    """What Slurm says about a task that waits or runs."""

    state: str
    """Slurm's word, such as `PENDING` or `RUNNING`."""
    node: str = ""
    reason: str = ""
    """Why it waits."""


def submit(script: Path, options: Sequence[str]) -> None:
    """Hand `script` to Slurm with `options` of `sbatch`.

    Raises:
        UsageError: there is no `sbatch` here, or Slurm refuses these options.
        GraderError: the controller does not answer. The job may exist or not: `list_alive` tells, later.
    """
    _call("sbatch", *options, str(script))


def list_alive(name: str) -> dict[int, TaskState]:
    """Return index -> state of the tasks of the array `name` that wait or run.

    Raises:
        GraderError: there is no `squeue` here, or the controller does not answer.
    """
    return parse_states(_call("squeue", "--noheader", "--array", f"--name={name}", f"--format={_LIST_FORMAT}"))


def parse_states(listed: str) -> dict[int, TaskState]:
    """Return what `list_alive` does, from the lines that `squeue` printed; other lines are passed over.

    `COMPLETING` does not count as alive: the task's program has ended, and on a dead node the state stays for long.
    """
    states: dict[int, TaskState] = {}
    for line in listed.splitlines():
        index, *words = line.split("|")
        if index.isdecimal() and len(words) == _LIST_FORMAT.count("|") and words[0] not in {"COMPLETING", "COMPLETED"}:
            states[int(index)] = TaskState(words[0], words[1], words[2].strip("()"))
    return states


def cancel(name: str) -> None:
    """End all jobs of this user that are called `name`; `GraderError` if the controller does not answer."""
    _call("scancel", f"--name={name}")


def _call(program: str, *arguments: str) -> str:
    """Return what `program` printed."""
    try:
        done = subprocess.run(  # noqa: S603 - Slurm's own commands, arguments one by one
            [program, *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=CALL_LIMIT_S,
            check=False,
        )
    except FileNotFoundError as error:
        raise UsageError(
            f"there is no {program} here: log in to a node of the cluster, or grade with --backend local"
        ) from error
    except subprocess.TimeoutExpired as error:
        raise GraderError(f"{program} has not answered within {CALL_LIMIT_S} s: look at `scontrol ping`") from error
    except OSError as error:
        raise GraderError(f"{program} cannot be started: {error}") from error
    if done.returncode != 0:
        raise _name_refusal(program, done.stderr)
    return done.stdout


def _name_refusal(program: str, complaint: str) -> GraderError:
    """Return the error that the last line of what `program` complained stands for."""
    lines = complaint.strip().splitlines() or ["it gives no reason"]
    said = lines[-1].rpartition("error: ")[2].removeprefix("Batch job submission failed: ")[:300]
    if any(word in said for word in _UNREACHABLE):
        return GraderError(f"{program} does not reach Slurm's controller ({said}): look at `scontrol ping`")
    return UsageError(f"Slurm refuses ({program}: {said}): change the --slurm settings")
