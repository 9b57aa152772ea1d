"""What Slurm's commands are asked, each with a limit of its own: a controller that hangs costs a wait, never a batch.

Why not submitit: without `sacct`, which clusters often lack, the result of a job that was cancelled never arrives; and
its results are pickles. Arrays of `sbatch` and the list of `squeue` are all that a batch needs. `squeue` lists jobs of
this user by name, because a name is chosen before the job exists: whoever is killed right after `sbatch` still finds
its jobs. A task that is missing from the list has ended, or was cancelled while it waited.
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.errors import GraderError, UsageError

CALL_LIMIT_S = 40
"""Beyond the 10 s, asked again up to three times, after which Slurm's own commands give up."""
_LIST_FORMAT = "%F|%K|%T|%j|%r|%N"
_ALIVE = {
    "PENDING",
    "CONFIGURING",
    "RUNNING",
    "SUSPENDED",
    "STOPPED",
    "SIGNALING",
    "STAGE_OUT",
    "RESIZING",
    "REQUEUED",
    "RESV_DEL_HOLD",
}
_HELD_FOR_GOOD = ("launch failed requeued held", "launch_failed_requeued_held", "DependencyNeverSatisfied")
_UNREACHABLE = ("contact", "timed out", "Connection", "Zero Bytes", "communication", "temporarily")
_DEFAULT_MAX_ARRAY = 1001


class ControllerError(GraderError):
    """The controller did not answer; nothing follows about the jobs."""


@dataclass(frozen=True, slots=True)
class TaskState:
    """What Slurm says about one task of an array."""

    state: str
    """Slurm's word, such as `PENDING`, `RUNNING`, `NODE_FAIL`."""
    reason: str = ""
    node: str = ""

    @property
    def is_alive(self) -> bool:
        """Whether it waits, or runs. `COMPLETING` is no longer alive: its program has ended."""
        return self.state in _ALIVE and self.reason not in _HELD_FOR_GOOD


def submit(script: Path, options: Sequence[str]) -> str:
    """Hand `script` to Slurm with `options` of `sbatch` and return the job's id.

    Raises:
        UsageError: there is no `sbatch` here, or Slurm refuses these options.
        ControllerError: the controller does not answer. The job may exist or not; its name tells, later.
    """
    # The id may be followed by `;cluster`.
    return _call("sbatch", "--parsable", *options, str(script)).strip().split(";")[0]


def read_states(names: Sequence[str]) -> dict[tuple[str, int], TaskState]:
    """Return (job name, index) -> state of all tasks of this user's arrays called `names` that Slurm still knows.

    Raises:
        UsageError: there is no `squeue` here.
        ControllerError: the controller does not answer.
    """
    listed = _call(
        "squeue", "--noheader", "--array", "--states=all", f"--name={','.join(names)}", f"--format={_LIST_FORMAT}"
    )
    return parse_states(listed)


def parse_states(listed: str) -> dict[tuple[str, int], TaskState]:
    """Return what `read_states` does, from the lines that `squeue` printed; other lines are passed over.

    An array that was submitted twice under one name, as after an `sbatch` that was thought dead, counts as alive where
    one of its twins is.
    """
    states: dict[tuple[str, int], TaskState] = {}
    for line in listed.splitlines():
        parts = line.split("|")
        if len(parts) != _LIST_FORMAT.count("|") + 1 or not parts[1].isdecimal():
            continue
        _id, index, state, name, reason, node = parts
        key = (name, int(index))
        if key not in states or not states[key].is_alive:
            states[key] = TaskState(state, reason.strip("()"), node)
    return states


def cancel(*names: str) -> None:
    """End all jobs of this user that are called so.

    Raises:
        UsageError: there is no `scancel` here.
        ControllerError: the controller does not answer: jobs go on.
    """
    for name in names:
        _call("scancel", f"--name={name}")


def cancel_task(name: str, index: int) -> None:
    """End one task of the array that is called `name`.

    Raises:
        UsageError: there is no `scancel` here.
        ControllerError: the controller does not answer: the task goes on.
    """
    listed = _call("squeue", "--noheader", f"--name={name}", "--format=%F")
    for job_id in sorted(set(listed.split())):
        _call("scancel", f"{job_id}_{index}")


def read_max_array() -> int:
    """Return the most tasks that one array may have here: `MaxArraySize`, or Slurm's default where it is not told.

    Raises:
        UsageError: there is no `scontrol` here.
        ControllerError: the controller does not answer.
    """
    for line in _call("scontrol", "show", "config").splitlines():
        name, _, value = line.partition("=")
        if name.strip() == "MaxArraySize" and value.strip().isdecimal():
            return int(value)
    return _DEFAULT_MAX_ARRAY


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
        message = f"there is no {program} here: log in to a node of the cluster, or grade with --backend local"
        raise UsageError(message) from error
    except subprocess.TimeoutExpired as error:
        message = f"{program} has not answered within {CALL_LIMIT_S} s: look at `scontrol ping`"
        raise ControllerError(message) from error
    except OSError as error:
        message = f"{program} cannot be started: {error}"
        raise ControllerError(message) from error
    if done.returncode != 0:
        raise _name_refusal(program, done.stderr)
    return done.stdout


def _name_refusal(program: str, complaint: str) -> GraderError:
    """Return the error that the last line of what `program` complained stands for."""
    lines = complaint.strip().splitlines() or ["it gives no reason"]
    said = lines[-1].rpartition("error: ")[2].removeprefix("Batch job submission failed: ")[:300]
    if any(word in said for word in _UNREACHABLE):
        return ControllerError(f"{program} does not reach Slurm's controller ({said}): look at `scontrol ping`")
    return UsageError(f"Slurm refuses ({program}: {said}): change the --slurm settings")
