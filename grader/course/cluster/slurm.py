"""Grades a batch on a cluster: a Slurm job array grades the unfinished hand-ins; those that are left get a new array.

    unfinished --sbatch--> array --results on the disk--> Finished
        ^                    |
        +---- not graded ----+   submitted again, at most twice per hand-in

Files on the disk say what is graded; `squeue` only says whether tasks still wait or run. When no task of the array
waits or runs any more, each hand-in without a result is unfinished. Jobs are submitted with `--no-requeue`, because a
requeued job waits for minutes and a new job does not.

Each call of Slurm's commands has a timeout, so a controller that hangs delays a batch but does not stop it. Jobs are
found by name, because the name is chosen before the job exists: a batch that is killed right after `sbatch` finds its
job in the next run. `sacct`, which many clusters lack, is not needed.
"""

import shlex
import subprocess
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal

import msgspec

from grader.course.cluster.arrays import Array, find_arrays, make_array
from grader.course.job import is_done
from grader.course.model import Announce, Finished, Job, Store
from grader.errors import GraderError, UsageError

CALL_LIMIT_S = 40  # Slurm's own commands give up earlier: after up to three tries of 10 s
_LIST_FORMAT = "%K|%T|%N|%r"
_UNREACHABLE = ("contact", "timed out", "Connection", "Zero Bytes", "communication", "temporarily")


@dataclass(frozen=True, slots=True)
class TaskState:
    """The state of a task that waits or runs, from Slurm."""

    state: str  # Slurm's word, such as `PENDING` or `RUNNING`
    node: str = ""
    reason: str = ""  # why it waits


def submit(script: Path, options: Sequence[str]) -> None:
    """Submit `script` to Slurm with `options` of `sbatch`.

    Raises:
        UsageError: there is no `sbatch` here, or Slurm refuses these options.
        GraderError: the controller does not answer. The job may exist or not; `list_alive` shows this later.
    """
    _call("sbatch", *options, str(script))


def list_alive(name: str) -> dict[int, TaskState]:
    """Return index -> state of the tasks of the array `name` that wait or run; `GraderError` if `squeue` fails."""
    return parse_states(_call("squeue", "--noheader", "--array", f"--name={name}", f"--format={_LIST_FORMAT}"))


def parse_states(listed: str) -> dict[int, TaskState]:
    """Return index -> state of the tasks in the lines that `squeue` printed; other lines are ignored.

    `COMPLETING` does not count: the task's program has ended, and on a dead node the state stays for a long time.
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
    """Run a command of Slurm and return its output; raises as `submit`, `list_alive` and `cancel` say."""
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
    """Return the error for the last line of `complaint`, which `program` wrote to stderr."""
    lines = complaint.strip().splitlines() or ["it gives no reason"]
    reason = lines[-1].rpartition("error: ")[2].removeprefix("Batch job submission failed: ")[:300]
    if any(word in reason for word in _UNREACHABLE):
        return GraderError(f"{program} does not reach Slurm's controller ({reason}): look at `scontrol ping`")
    return UsageError(f"Slurm refuses ({program}: {reason}): change the --slurm settings")


_OPTIONS = ("ntasks", "partition", "account", "qos", "constraint", "gres", "mem", "time")
"""Settings that are passed to `sbatch` unchanged; an empty or zero setting is not passed."""


@dataclass(frozen=True, slots=True)
class SlurmSettings:
    """Settings of the cluster; most have the name of the `sbatch` option that they become."""

    partition: str = ""
    account: str = ""
    qos: str = ""
    constraint: str = ""  # features that nodes need, such as the GPU's model, so all hand-ins are timed on the same
    gres: str = "gpu:1"  # empty if the nodes have no GPU
    cpus: int = 1
    ntasks: int = 0  # for MPI: how many ranks a hand-in's checks start, each with `cpus` cores; 0: Slurm's default, 1
    mem: str = ""
    time: str = ""  # Slurm's time limit for one hand-in, such as `01:00:00`. The grader's own limits are much shorter
    width: int = 0  # how many tasks may run at once; 0 for no limit but Slurm's own
    extra: str = ""  # further options of `sbatch`, as on a command line
    python: str = sys.executable  # the interpreter with the grader installed; its path must also exist on compute nodes
    on_stop: Literal["cancel", "leave"] = "cancel"
    """What Ctrl-C does with the tasks: `cancel` ends them, `leave` keeps them for the next run, which finds them."""
    poll_s: float = 5.0
    grace_s: float = 20.0  # how long to wait for results to appear on the shared file system after the array has ended
    array_size: int = 1000  # the most tasks of one array; must be below Slurm's `MaxArraySize`, by default 1001

    def write_options(self, array: Array) -> list[str]:
        """Return the options of `sbatch` for `array`."""
        logs = str(array.path / "logs").replace("%", "%%")
        options = {
            "job-name": array.name,
            "array": f"0-{len(array.keys) - 1}" + (f"%{self.width}" if self.width else ""),
            "output": f"{logs}/%a.txt",
            "cpus-per-task": self.cpus,
            **{name: getattr(self, name) for name in _OPTIONS},
        }
        named = [f"--{name}={value}" for name, value in options.items() if value]
        return [*named, "--no-requeue", "--open-mode=append", *shlex.split(self.extra)]


def read_settings(words: Sequence[str]) -> SlurmSettings:
    """Return the settings in `words`, `name=value` or TOML files: the last one wins; `UsageError` if one is wrong."""
    tree: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        tree |= {name.strip(): value} if equals else _read_file(Path(word))
    names = [field.name for field in fields(SlurmSettings)]
    if unknown := sorted(set(tree) - set(names)):
        raise UsageError(f"there is no Slurm setting {unknown[0]!r}: use one of {', '.join(names)}")
    try:
        settings = msgspec.convert(tree, SlurmSettings, strict=False)
        shlex.split(settings.extra)
    except (msgspec.ValidationError, ValueError) as error:
        raise UsageError(f"a Slurm setting has an impossible value: {error}") from error
    return settings


def _read_file(path: Path) -> dict[str, Any]:
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8")).get("slurm")
    except (OSError, ValueError) as error:
        raise UsageError(
            f"the Slurm settings {path} cannot be read ({error}): give a TOML file, or name=value"
        ) from error
    if not isinstance(table, dict):
        raise UsageError(f"{path} has no table [slurm]: write `[slurm]` above its settings")
    return table


MAX_TRIES = 3  # a hand-in is submitted once, and again at most twice
_USUAL_REASONS = {"None", "Priority", "Resources", ""}  # reasons to wait that are not reported: other jobs run first


class SlurmBackend:
    """A `Backend` that grades on a cluster; `say` is called with sentences about the whole batch."""

    def __init__(self, settings: SlurmSettings, say: Callable[[str], None] = lambda _sentence: None) -> None:
        self._settings, self._say = settings, say
        self._said = ""

    def run(self, jobs: Sequence[Job], store: Store, announce: Announce) -> Iterator[Finished]:
        """Grade all `jobs` on the cluster; see `Backend.run`.

        If an earlier, killed run has left an array running, this waits for it before it submits anything. Closing the
        iterator cancels the array, unless `on_stop` is `leave`.

        Raises:
            UsageError: no Slurm here, or it refuses the options.
            GraderError: the controller does not answer to `sbatch`, or to `squeue` about an earlier run's array.
        """
        wanted = {job.handin.key: job for job in jobs}
        tries: Counter[str] = Counter()
        array = self._find_running(store) if jobs else None
        yield from _take_done(wanted, list(wanted), store)  # jobs that have ended since the batch was planned
        while wanted:
            array = array or self._submit(store, sorted(wanted, key=lambda key: tries[key]))
            try:
                problems = yield from self._watch(array, wanted, store, announce)
            except (KeyboardInterrupt, GeneratorExit):
                self._stop(array, len(wanted))
                raise
            self._remove(array)
            array = None
            tries.update(problems.keys())
            for key, why in problems.items():
                if tries[key] < MAX_TRIES:
                    announce(key, f"again, try {tries[key] + 1} of {MAX_TRIES}: {why}")
                else:
                    del wanted[key]
                    yield Finished(key, f"{why} ({MAX_TRIES} tries)")

    def _find_running(self, store: Store) -> Array | None:
        """Return the array of an earlier run whose tasks still wait or run; cancel and delete all other arrays."""
        running = None
        for array in find_arrays(store):
            if running is None and (alive := list_alive(array.name)):
                self._say(f"{len(alive)} tasks of an earlier run are still with Slurm: they are waited for first")
                running = array
            else:
                self._remove(array)
        return running

    def _submit(self, store: Store, keys: Sequence[str]) -> Array:
        """Submit an array that grades `keys`, or the first `array_size` of them, and return it."""
        array = make_array(store, keys[: self._settings.array_size], self._settings.python)
        try:
            submit(array.script, self._settings.write_options(array))
        except UsageError:
            array.remove()
            raise
        return array

    def _watch(
        self, array: Array, wanted: dict[str, Job], store: Store, announce: Announce
    ) -> Generator[Finished, None, dict[str, str]]:
        """Yield finished jobs and remove them from `wanted`, until the array ends; return key -> problem of others."""
        problems: dict[str, str] = {}
        announced: set[str] = set()
        over_since_s: float | None = None
        while True:
            alive, now_s = self._look(array), time.monotonic()  # before the disk: ended tasks have written by now
            for index in array.list_ended():
                key = array.keys[index]
                if key in wanted and key not in problems:
                    if problem := array.read_problem(index):
                        problems[key] = problem
                    else:
                        yield from _take_done(wanted, [key], store)
            unfinished = {index: key for index, key in enumerate(array.keys) if key in wanted and key not in problems}
            if not unfinished:
                return problems
            is_over = alive is not None and not alive
            over_since_s = (over_since_s or now_s) if is_over else None
            if over_since_s is not None and now_s - over_since_s >= self._settings.grace_s:
                return problems | {key: array.describe_loss(index) for index, key in unfinished.items()}
            nodes = {i: task.node for i, task in (alive or {}).items() if task.state == "RUNNING"}
            running = {key: nodes[index] for index, key in unfinished.items() if index in nodes}
            for key in running.keys() - announced:
                announce(key, f"runs on {running[key]}")
            announced |= running.keys()
            time.sleep(self._settings.poll_s)

    def _look(self, array: Array) -> dict[int, TaskState] | None:
        """Return the tasks that wait or run, None if `squeue` fails; if no task runs, report unusual reasons."""
        try:
            alive = list_alive(array.name)
        except GraderError as error:
            if isinstance(error.__cause__, FileNotFoundError):  # no `squeue` here: waiting would not end
                raise
            self._say_once(f"{error}; waiting, nothing is lost")
            return None
        if alive and all(task.state == "PENDING" for task in alive.values()):
            reasons = sorted({task.reason for task in alive.values()} - _USUAL_REASONS)
            if reasons:
                self._say_once(f"Slurm lets {len(alive)} tasks wait: {'; '.join(reasons)[:300]}")
        return alive

    def _stop(self, array: Array, unfinished: int) -> None:
        """End the run early: cancel the array, or leave it for the next run, as `on_stop` says."""
        if self._settings.on_stop == "leave":
            self._say(f"{unfinished} hand-ins are not graded; their tasks go on, and the same command waits for them")
        else:
            self._remove(array)
            self._say(f"{unfinished} hand-ins are not graded; their tasks were cancelled")

    def _remove(self, array: Array) -> None:
        """Cancel the array's tasks, and delete its files; the files stay if the tasks cannot be cancelled."""
        try:
            cancel(array.name)
        except GraderError as error:
            self._say(f"tasks that are no longer needed could not be cancelled ({error})")
        else:
            array.remove()

    def _say_once(self, sentence: str) -> None:
        if sentence != self._said:
            self._said = sentence
            self._say(sentence)


def _take_done(wanted: dict[str, Job], keys: Iterable[str], store: Store) -> Iterator[Finished]:
    """Yield the jobs of `keys` whose result is on the disk, and remove them from `wanted`."""
    for key in keys:
        folder = store.folder(key)
        # Listing the folder makes NFS read it again; otherwise NFS uses its cache for up to a minute.
        if key in wanted and folder.is_dir() and any(folder.iterdir()) and is_done(store, wanted[key]):
            del wanted[key]
            yield Finished(key)
