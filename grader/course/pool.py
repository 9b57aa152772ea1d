"""Grades on this machine, several at a time, each in a process of its own.

As many gradings run as there are workers; while these, and everybody else here, leave processors idle (one waits for a
hanging function to reach its limit, or for the GPU that another one is timed on), the next ones are begun early, up to
twice as many.
A grading whose process is lost is begun once more: that is ours, never the student's.
"""

from __future__ import annotations

import os
import selectors
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from grader.course.backend import Announce, Finished
from grader.course.forkedgrading import Forked
from grader.course.model import Job
from grader.course.store import Store
from grader.machine import available_cores
from grader.timing import cores
from grader.worker import interrupts

Grade = Callable[[Store, Job, Callable[[str], None]], object]

LIMIT_S = 3600.0
"""Of one grading: beyond all limits of student code together, so that what reaches it is ours."""
TRIES = 2
_AHEAD = 2
"""At most so many gradings per worker, however idle the processors are."""
_LOOK_S = 0.5
_LOOKS = 4
"""Idle time is averaged over so many looks; a grading that began since then is taken to keep one core busy."""
_IDLE_CORES = 0.7


@dataclass(slots=True)
class _Begun:
    """A job that runs, and which try it is."""

    job: Job
    tries: int
    process: Forked


class LocalPool:
    """A backend: this machine."""

    def __init__(self, workers: int, grade: Grade, limit_s: float = LIMIT_S) -> None:
        self._workers, self._grade, self._limit_s = workers, grade, limit_s
        self._running: dict[str, _Begun] = {}
        self._mine = available_cores()
        self._idle = deque([(time.monotonic(), cores.read_idle_s(self._mine))], maxlen=_LOOKS)
        self._selector = selectors.DefaultSelector()

    def run(self, jobs: Sequence[Job], store: Store, announce: Announce) -> Iterator[Finished]:
        """Grade all `jobs`; see `Backend.run`."""
        waiting = deque((job, 1) for job in jobs)
        try:
            while waiting or self._running:
                while waiting and self._has_room():
                    self._begin(*waiting.popleft(), store, announce)
                for begun, problem in self._ended(announce):
                    key = begun.job.handin.key
                    if problem and begun.tries < TRIES:
                        announce(key, f"again, because {problem}")
                        waiting.append((begun.job, begun.tries + 1))
                    else:
                        yield Finished(key, problem and f"{problem}, {begun.tries} times")
        finally:
            for begun in self._running.values():
                begun.process.end()
            self._running.clear()

    def _begin(self, job: Job, tries: int, store: Store, announce: Announce) -> None:
        with interrupts.held_back():  # one is lost in what Python does at a fork, or leaves a grading that nobody ends
            process = Forked(lambda progress: self._grade(store, job, progress), store.log(job.handin.key))
            self._running[job.handin.key] = _Begun(job, tries, process)
        self._selector.register(process.channel, selectors.EVENT_READ, job.handin.key)
        announce(job.handin.key, "starts")

    def _has_room(self) -> bool:
        running = len(self._running)
        return running < self._workers or (running < _AHEAD * self._workers and self._idle_cores() > _IDLE_CORES)

    def _idle_cores(self) -> float:
        """Return how many of the workers' cores nobody has used lately, whoever else works on this machine."""
        now_s = time.monotonic()
        if now_s - self._idle[-1][0] >= _LOOK_S:
            self._idle.append((now_s, cores.read_idle_s(self._mine)))
        (first_s, first), (last_s, last) = self._idle[0], self._idle[-1]
        idle = (last - first) / (last_s - first_s) if last_s > first_s else 0.0
        new = sum(begun.process.began_s > first_s for begun in self._running.values())
        return idle - new - max(0, len(self._mine) - self._workers)

    def _ended(self, announce: Announce) -> Iterator[tuple[_Begun, str]]:
        """Wait up to half a second; pass on the checks that began, and yield what ended, and why it failed."""
        for event, _mask in self._selector.select(_LOOK_S):
            key = event.data
            checks = self._running[key].process.read_checks()
            for check in checks or ():
                announce(key, check)
            if checks is None:
                yield self._collect(key)
        announce("", "")
        for key, begun in list(self._running.items()):
            if time.monotonic() - begun.process.began_s > self._limit_s:
                os.kill(begun.process.pid, signal.SIGKILL)
                yield self._collect(key, f"the grading took more than {self._limit_s:g} s")

    def _collect(self, key: str, why: str = "") -> tuple[_Begun, str]:
        begun = self._running.pop(key)
        self._selector.unregister(begun.process.channel)
        problem = begun.process.collect()
        return begun, why or problem
