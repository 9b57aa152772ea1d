"""Grades a batch on a cluster: a job array of Slurm for what is unfinished, and again for what that leaves unfinished.

    unfinished --sbatch--> array --results on the disk--> Finished
        ^                    |
        +---- not graded ----+   submitted again, at most twice per hand-in

The disk tells what is graded; `squeue` only tells whether it is still worth waiting. When no task of the array waits or
runs any more, whatever has no result is unfinished, for whatever reason. Jobs are submitted with `--no-requeue`, since
a requeued job waits for minutes and a submitted one does not.
"""

import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence

from grader.course.cluster import controller
from grader.course.cluster.arrays import Array, find_arrays, make_array
from grader.course.cluster.controller import SlurmSettings, TaskState
from grader.course.job import is_done
from grader.course.model import Announce, Finished, Job, Store
from grader.errors import GraderError, UsageError

MAX_TRIES = 3
"""Submitted once, and again at most twice."""
_USUAL_REASONS = {"None", "Priority", "Resources", ""}
"""Of waiting: others are being served."""

Say = Callable[[str], None]


class SlurmBackend:
    """A `Backend` that grades on a cluster; `say` is told what concerns the whole batch, in sentences."""

    def __init__(self, settings: SlurmSettings, say: Say = lambda _sentence: None) -> None:
        self._settings, self._say = settings, say
        self._said = ""

    def run(self, jobs: Sequence[Job], store: Store, announce: Announce) -> Iterator[Finished]:
        """Grade all `jobs` on the cluster; see `Backend.run`.

        An array that a killed batch has left running is waited for before anything is submitted. Closing the iterator
        cancels the array, unless the settings say that it stays.

        Raises:
            UsageError: no Slurm here, or it refuses the options.
            GraderError: the controller does not answer when an array is to be submitted. What is graded stays.
        """
        wanted = {job.handin.key: job for job in jobs}
        tries: Counter[str] = Counter()
        array = self._find_running(store) if jobs else None
        yield from _take_done(wanted, list(wanted), store)  # what has ended since the batch was planned
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
        """Return the array of an earlier run whose tasks still wait or run; delete what is left of others."""
        running = None
        for array in find_arrays(store):
            if running is None and (alive := controller.list_alive(array.name)):
                self._say(f"{len(alive)} tasks of an earlier run are still with Slurm: they are waited for first")
                running = array
            else:
                self._remove(array)
        return running

    def _submit(self, store: Store, keys: Sequence[str]) -> Array:
        """Hand an array that grades `keys`, or as many of them as it may hold, to Slurm."""
        array = make_array(store, keys[: self._settings.array_size], self._settings.python)
        try:
            controller.submit(array.script, self._settings.write_options(array))
        except UsageError:
            array.remove()
            raise
        return array

    def _watch(
        self, array: Array, wanted: dict[str, Job], store: Store, announce: Announce
    ) -> Generator[Finished, None, dict[str, str]]:
        """Yield what is graded, and take it out of `wanted`, until the array is over; return why the rest is not."""
        problems: dict[str, str] = {}
        announced: set[str] = set()
        over_since_s: float | None = None
        while True:
            alive, now_s = self._look(array), time.monotonic()  # first: whatever has ended by then is on the disk
            for index in array.list_ended():
                key = array.keys[index]
                if key in wanted and key not in problems:
                    if problem := array.read_trouble(index):
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
        """Return the tasks that wait or run, None if the controller does not answer; say why nothing runs."""
        try:
            alive = controller.list_alive(array.name)
        except GraderError as error:
            self._say_once(f"{error}; waiting, nothing is lost")
            return None
        if alive and all(task.state == "PENDING" for task in alive.values()):
            reasons = sorted({task.reason for task in alive.values()} - _USUAL_REASONS)
            if reasons:
                self._say_once(f"Slurm lets {len(alive)} tasks wait: {'; '.join(reasons)[:300]}")
        return alive

    def _stop(self, array: Array, unfinished: int) -> None:
        """Leave the run early: cancel the array, or leave it to the next run, as the settings say."""
        if self._settings.on_stop == "leave":
            self._say(f"{unfinished} hand-ins are not graded; their tasks go on, and the same command waits for them")
        else:
            self._remove(array)
            self._say(f"{unfinished} hand-ins are not graded; their tasks were cancelled")

    def _remove(self, array: Array) -> None:
        """End what may be left of the array, and delete its files."""
        try:
            controller.cancel(array.name)
        except GraderError as error:
            self._say(f"tasks that are no longer needed could not be cancelled ({error})")
        else:
            array.remove()

    def _say_once(self, sentence: str) -> None:
        if sentence != self._said:
            self._said = sentence
            self._say(sentence)


def _take_done(wanted: dict[str, Job], keys: Iterable[str], store: Store) -> Iterator[Finished]:
    """Take those of `keys` out of `wanted` whose result the disk has, and yield them."""
    for key in keys:
        folder = store.folder(key)
        # Listing the folder makes NFS look again, which remembers for a minute what was there.
        if key in wanted and folder.is_dir() and any(folder.iterdir()) and is_done(store, wanted[key]):
            del wanted[key]
            yield Finished(key)
