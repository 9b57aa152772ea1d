"""Runs several gradings at a time on this machine, each in its own process; a timed check on a GPU runs alone.

One grading runs per worker. If cores of this machine are idle (a grading may wait for a hanging function to reach its
limit, or for the GPU on which another grading is timed), the next gradings start early, up to twice as many. If a
grading fails or its process is lost, it is started once more: this is never the student's fault.

While one grading is timed on a GPU, the others wait before their next check: a kernel of another check would disturb
the measurement, which would then have to be repeated. Two lock files control this:

    turnstile   locked briefly by each check that begins; a timed check keeps it until the running checks have ended
    room        shared lock for ordinary checks; exclusive lock for a timed check

No check waits forever: while a timed check waits for the room, it holds the turnstile, so that no other check begins.
"""

import os
import selectors
import signal
import time
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from grader.course.job import Forked, held_back, run_job, warm_up
from grader.course.model import Announce, Finished, Job, Store
from grader.course.running import Batch
from grader.intake.disk import leave_lock, take_lock
from grader.machine import available_cores, choose_device, count_cores
from grader.timing import cores

Grade = Callable[[Store, Job, Callable[[str], None]], object]

LIMIT_S = 3600.0  # of one grading; longer than all limits of student code together: exceeding it is the grader's fault
TRIES = 2
_AHEAD = 2  # the most gradings per worker, even if cores are idle
_LOOK_S = 0.5
_LOOKS = 4  # idle time is averaged over so many samples; each grading that began since the first counts as a busy core
_IDLE_CORES = 0.7


class LocalPool:
    """A backend: this machine."""

    def __init__(self, workers: int, grade: Grade, limit_s: float = LIMIT_S) -> None:
        self._workers, self._grade, self._limit_s = workers, grade, limit_s
        self._running: dict[str, Forked] = {}
        self._mine = available_cores()
        self._idle = deque([(time.monotonic(), cores.read_idle_s(self._mine))], maxlen=_LOOKS)
        self._selector = selectors.DefaultSelector()

    def run(self, jobs: Sequence[Job], store: Store, announce: Announce) -> Iterator[Finished]:
        """Grade all `jobs`; see `Backend.run`."""
        by_key = {job.handin.key: job for job in jobs}
        waiting, tries = deque(by_key), Counter[str]()
        try:
            while waiting or self._running:
                while waiting and (len(self._running) < self._workers or self._may_begin_early()):
                    self._begin(by_key[waiting.popleft()], store, announce)
                for key, problem in self._ended(announce):
                    tries[key] += 1
                    if problem and tries[key] < TRIES:
                        announce(key, f"again, because {problem}")
                        waiting.append(key)
                    else:
                        yield Finished(key, problem and f"{problem} ({tries[key]} tries)")
        finally:
            for process in self._running.values():
                process.end()
            self._running.clear()

    def _begin(self, job: Job, store: Store, announce: Announce) -> None:
        with held_back():  # a signal during the fork could be lost, or could leave a grading that nobody ends
            process = Forked(lambda progress: self._grade(store, job, progress), store.log(job.handin.key))
            self._running[job.handin.key] = process
        self._selector.register(process.channel, selectors.EVENT_READ, job.handin.key)
        announce(job.handin.key, "starts")

    def _may_begin_early(self) -> bool:
        """Return whether one of the workers' cores was idle lately; other programs' work counts, too."""
        if len(self._running) >= _AHEAD * self._workers:
            return False
        now_s = time.monotonic()
        if now_s - self._idle[-1][0] >= _LOOK_S:
            self._idle.append((now_s, cores.read_idle_s(self._mine)))
        (first_s, first), (last_s, last) = self._idle[0], self._idle[-1]
        idle = (last - first) / (last_s - first_s) if last_s > first_s else 0.0
        new = sum(process.began_s > first_s for process in self._running.values())
        return idle - new - max(0, len(self._mine) - self._workers) > _IDLE_CORES

    def _ended(self, announce: Announce) -> Iterator[tuple[str, str]]:
        """Wait up to half a second; announce checks that began, and yield the keys of ended gradings, with problems."""
        for event, _mask in self._selector.select(_LOOK_S):
            key = event.data
            checks = self._running[key].read_checks()
            for check in checks or ():
                announce(key, check)
            if checks is None:
                yield key, self._collect(key)
        announce("", "")
        for key, process in list(self._running.items()):
            if time.monotonic() - process.began_s > self._limit_s:
                os.kill(process.pid, signal.SIGKILL)
                self._collect(key)
                yield key, f"the grading took more than {self._limit_s:g} s"

    def _collect(self, key: str) -> str:
        process = self._running.pop(key)
        self._selector.unregister(process.channel)
        return process.collect()


@contextmanager
def gated(progress: Callable[[str], None], folder: Path, alone: Collection[str]) -> Iterator[Callable[[str], None]]:
    """Wait at the locks in `folder`, then yield a function that waits before each check and then calls `progress`.

    The first wait is needed because workers use the GPU when they start. The checks `alone` lock the room exclusively.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "turnstile").open("ab") as turnstile, (folder / "room").open("ab") as room:

        def enter(check: str) -> None:
            leave_lock(room.fileno())  # the lock of the previous check
            take_lock(turnstile.fileno())
            take_lock(room.fileno(), shared=check not in alone)
            leave_lock(turnstile.fileno())
            if check:
                progress(check)

        enter("")
        yield enter


MOST_ON_A_GPU = 6
"""Default for workers that share a GPU's memory. Up to twice as many gradings run; each waits while others are timed,
for one minute each, or three if the timing is disturbed. The sum stays below the limit of a grading."""


def make_pool(batch: Batch, workers: int = 0) -> LocalPool:
    """Return the backend for `batch` with `workers` workers; 0 means one more than there are cores.

    One more, because gradings do not use their cores all the time: a worker starts, a file is written. On a GPU, where
    times are taken, 0 means as many as cores, at most `MOST_ON_A_GPU`.

    Raises:
        UsageError: the requested device, data or sandbox is not available here.
    """
    if not batch.plan.jobs:
        return LocalPool(1, run_job)
    dataset = warm_up(batch.assignment, batch.settings.how)
    if choose_device(batch.settings.how.device)[0] != "gpu":
        return LocalPool(workers or count_cores() + 1, partial(run_job, dataset=dataset))
    timed = tuple(row.id for row in batch.assignment.rubric.criteria if row.hardware == "gpu")

    def grade(store: Store, job: Job, progress: Callable[[str], None]) -> None:
        with gated(progress, store.root / "gate", timed) as told:
            run_job(store, job, told, dataset)

    return LocalPool(workers or min(count_cores(), MOST_ON_A_GPU), grade)
