"""What is still wanted of a batch on a cluster, where it is being tried, and what becomes of what is lost."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

from grader.batch.backend import Finished, Tell
from grader.batch.cluster import controller
from grader.batch.cluster.arrays import ArrayFolder, Task, digest_of, find_arrays, make_array
from grader.batch.cluster.controller import ControllerError, TaskState
from grader.batch.cluster.slurm_settings import SlurmSettings
from grader.batch.cluster.tries import NodeRecord, Try
from grader.batch.model import Job
from grader.batch.store import Store
from grader.errors import GraderError, UsageError

_USUAL_REASONS = {"None", "Priority", "Resources", ""}
"""Of waiting: others are being served."""
MAX_TRIES = 3
"""Submitted once, and again at most twice."""

Say = Callable[[str], None]


class Watch:
    """One run of a batch: what is still wanted, and where it is being tried."""

    def __init__(self, settings: SlurmSettings, store: Store, tell: Tell, say: Say) -> None:
        self.wanted: dict[str, Task] = {}
        self._settings, self._store, self._tell, self._say = settings, store, tell, say
        self._arrays: dict[str, ArrayFolder] = {}
        self._tries: dict[str, Try] = {}
        """Key -> the latest try; a key that is wanted and not in here is to be submitted."""
        self._lost: dict[str, list[str]] = {}
        """Key -> why its tries were lost."""
        self._given_up: dict[str, str] = {}
        """Key -> why it is not tried again; `collect` passes that on."""
        self._states: dict[tuple[str, int], TaskState] = {}
        self._nodes = NodeRecord()
        self._silent_since: float | None = None
        self._said = ""

    def adopt(self, jobs: Sequence[Job]) -> None:
        """Take up `jobs`, and what a killed batch had already handed to Slurm of them."""
        for job in jobs:
            key = job.handin.key
            self.wanted[key] = Task(key, digest_of(self._store.task(key)))
        for folder in find_arrays(self._store):
            self._arrays[folder.name] = folder
            for index, task in enumerate(folder.array.tasks):
                if self.wanted.get(task.key) == task:
                    number = self._tries[task.key].number + 1 if task.key in self._tries else 1
                    self._tries[task.key] = Try(folder, index, number, time.monotonic())
        if self._tries:
            self._say(f"{len(self._tries)} hand-ins were handed to Slurm before: they are not submitted again")

    def collect(self) -> Iterator[Finished]:
        """Yield what has ended for good: whole results, and hand-ins that were lost too often."""
        for folder in self._arrays.values():
            for index in folder.find_results():
                task = folder.array.tasks[index]
                if self.wanted.get(task.key) != task:
                    continue
                trouble = folder.take_result(index, self._store)
                if not trouble:
                    self._nodes.results[folder.read_node(index)] += 1
                    yield self._finish(task.key)
                elif self._is_latest(folder, index):
                    self._lose(task.key, trouble)
        self._judge()
        for key in list(self._given_up):
            yield self._finish(key, self._given_up.pop(key))

    def look(self) -> None:
        """Ask Slurm about the tasks that are still wanted.

        Raises:
            GraderError: it has been silent for too long.
        """
        names = sorted({tried.folder.name for tried in self._tries.values()})
        try:
            self._states = controller.read_states(names) if names else {}
        except ControllerError as error:
            self._bear(error)
            return
        self._silent_since = None
        now = time.monotonic()
        for key, tried in self._tries.items():
            if tried.note(self._states.get((tried.folder.name, tried.index)), now) and tried.seen:
                self._tell(key, f"runs on {tried.seen.node}")
        self._explain_waiting()

    def submit(self) -> None:
        """Hand everything that is wanted and nowhere tried to Slurm; what it does not take now is offered again.

        Raises:
            UsageError: Slurm refuses, and runs nothing of this batch either.
        """
        tasks = [task for key, task in self.wanted.items() if key not in self._tries]
        if not tasks:
            return
        try:
            size = controller.read_max_array()
            parts = [tasks[start : start + size] for start in range(0, len(tasks), size)]
            for part in parts:
                self._submit_array(part, len(parts))
        except ControllerError as error:
            self._bear(error)
        except UsageError as error:
            if not self._tries:
                raise
            self._say_once(f"{error}; {len(tasks)} hand-ins are offered again later")

    def stop(self) -> None:
        """Leave the run early: cancel all tasks, or leave them to the next run, as the settings say."""
        if self._settings.on_stop == "leave":
            self._say(f"{len(self._tries)} tasks go on; the same command collects what comes of them")
            return
        try:
            controller.cancel(*self._arrays)
        except GraderError as error:
            self._say(f"the tasks could not be cancelled ({error}); the same command finds them again")
            return
        for _ in self.collect():
            pass  # what was whole a moment ago counts
        self._say(f"{len(self.wanted)} hand-ins are not graded; their tasks were cancelled")
        self._remove_arrays()

    def clear(self) -> None:
        """End what is left over of a finished run: tasks that were overtaken, and all files of arrays."""
        try:
            controller.cancel(*self._arrays)
        except GraderError as error:
            self._say(f"tasks that are no longer needed could not be cancelled ({error})")
        self._remove_arrays()

    def _remove_arrays(self) -> None:
        for folder in self._arrays.values():
            folder.remove()

    def _submit_array(self, tasks: Sequence[Task], arrays: int) -> None:
        bad = self._nodes.find_bad()
        if bad:
            try:
                self._hand_over(tasks, arrays, bad)
            except UsageError:
                bad = ()  # no other node may be left: rather there than nowhere
            else:
                self._say_once(f"tasks are submitted again, but not to {', '.join(bad)}: too many were lost there")
        if not bad:
            self._hand_over(tasks, arrays)

    def _hand_over(self, tasks: Sequence[Task], arrays: int, avoided: Sequence[str] = ()) -> None:
        folder = make_array(self._store, tasks, self._settings.python)
        self._arrays[folder.name] = folder  # from here on, Ctrl-C cancels it
        try:
            folder.note_id(controller.submit(folder.script, self._settings.write_options(folder, arrays, avoided)))
        except ControllerError:
            self._watch_array(folder)  # it may have been submitted; its name will tell
            raise
        except UsageError:
            del self._arrays[folder.name]
            folder.remove()
            raise
        self._watch_array(folder)

    def _watch_array(self, folder: ArrayFolder) -> None:
        for index, task in enumerate(folder.array.tasks):
            number = len(self._lost.get(task.key, ())) + 1
            self._tries[task.key] = Try(folder, index, number, time.monotonic())

    def _is_latest(self, folder: ArrayFolder, index: int) -> bool:
        tried = self._tries.get(folder.array.tasks[index].key)
        return tried is not None and tried.folder is folder and tried.index == index

    def _finish(self, key: str, trouble: str = "") -> Finished:
        del self.wanted[key]
        self._tries.pop(key, None)
        return Finished(key, trouble)

    def _judge(self) -> None:
        """Give up tries of which no result can be expected any more."""
        now = time.monotonic()
        for key, tried in list(self._tries.items()):
            if tried.is_missing(now, self._settings):
                if tried.seen is None and not tried.folder.is_surely_submitted:
                    del self._tries[key]  # `sbatch` never got through: that was no try
                else:
                    self._lose(key, tried.describe_end())
            elif tried.is_silent(now, self._settings):
                self._cancel_quietly(tried)
                self._lose(key, tried.describe_silence(now))

    def _lose(self, key: str, why: str) -> None:
        tried = self._tries.pop(key)
        self._nodes.losses[tried.folder.read_node(tried.index)] += 1
        lost = self._lost.setdefault(key, [])
        lost.extend(["lost before the batch was started again"] * (tried.number - 1 - len(lost)))
        lost.append(why)
        if tried.is_out_of_time:
            self._given_up[key] = f"Slurm's own time limit ended it ({why}): allow more with --slurm time=02:00:00"
        elif len(lost) >= MAX_TRIES:
            self._given_up[key] = f"the cluster lost it {MAX_TRIES} times; the last time: {why}"
        else:
            self._tell(key, f"again, try {len(lost) + 1} of {MAX_TRIES}: {why}")

    def _cancel_quietly(self, tried: Try) -> None:
        try:
            controller.cancel_task(tried.folder.name, tried.index)
        except GraderError:
            return  # if it does go on, the first whole result counts

    def _bear(self, error: ControllerError) -> None:
        """Wait for a silent controller, but not for ever."""
        now = time.monotonic()
        self._silent_since = self._silent_since if self._silent_since is not None else now
        if now - self._silent_since >= self._settings.patience_s or not self._arrays:
            message = f"{error}; what is graded is kept, and the same command goes on from there"
            raise GraderError(message) from error
        self._say_once(f"{error}; waiting, nothing is lost")

    def _explain_waiting(self) -> None:
        """Say why nothing runs, when nothing does."""
        states = [state for state in self._states.values() if state.is_alive]
        if states and all(state.state == "PENDING" for state in states):
            reasons = sorted({state.reason for state in states} - _USUAL_REASONS)
            if reasons:
                self._say_once(f"Slurm lets {len(states)} tasks wait: {'; '.join(reasons)[:300]}")

    def _say_once(self, sentence: str) -> None:
        if sentence != self._said:
            self._said = sentence
            self._say(sentence)
