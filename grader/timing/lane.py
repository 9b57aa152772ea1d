"""A core for timed calls: one worker runs on it, and workers that could disturb it are stopped.

    with Lane(pick_core()) as lane:
        answer = lane.run(staff, lambda: staff.call(...), still=[student])

A worker that is timed is pinned to the lane's core, with all processes that it starts; this process moves to another
core if there is one. While the staff's baseline runs, the submission's processes are stopped: a thread of theirs that
went on computing would slow the baseline down, and make the submission look fast.
"""

import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Protocol, Self, TypeVar

import psutil

from grader.errors import WorkerError
from grader.timing import cores

Came = TypeVar("Came")
_STOPPED = frozenset({psutil.STATUS_STOPPED, psutil.STATUS_TRACING_STOP, psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD})
_WAIT_S = 2.0
_ROUNDS_S = 0.001


class Worker(Protocol):
    """A worker that runs in the lane: all processes below `pids`."""

    @property
    def pids(self) -> tuple[int, ...]:
        """The processes that supervise it."""
        ...


def pick_core() -> int:
    """Return the core that timed calls of this process use: the last of those that it may use."""
    return max(os.sched_getaffinity(0))


class Lane:
    """One core, for as long as the block lasts."""

    def __init__(self, core: int) -> None:
        self.core = core
        self._mine: set[int] = set()
        self._pinned: set[int] = set()

    def __enter__(self) -> Self:
        """Move this process off the core, if it may use another."""
        self._mine = os.sched_getaffinity(0)
        os.sched_setaffinity(0, self._mine - {self.core} or self._mine)
        return self

    def __exit__(self, *_: object) -> None:
        """Let all these processes use all cores again."""
        os.sched_setaffinity(0, self._mine)
        for pid in self._pinned:
            _pin(pid, self._mine)
        self._pinned.clear()

    def run(self, worker: Worker, call: Callable[[], Came], still: Sequence[Worker] = ()) -> Came:
        """Return the result of `call`, while `worker` is pinned to the core and the workers in `still` are stopped."""
        for pid in {*worker.pids} - self._pinned:  # a worker that died was replaced by another
            _pin(pid, {self.core})
            self._pinned.add(pid)
        with _stopped([pid for other in still for pid in other.pids]):
            return call()


@contextmanager
def _stopped(roots: Sequence[int]) -> Iterator[None]:
    """Stop all processes below `roots`, also those that are started meanwhile."""
    touched: set[int] = set()
    deadline_s = time.monotonic() + _WAIT_S
    try:
        while running := [pid for pid in cores.find_family(roots) - {*roots} if _state(pid) not in _STOPPED]:
            touched.update(running)
            for pid in running:
                _signal(pid, signal.SIGSTOP)
            if time.monotonic() > deadline_s:
                raise WorkerError("the submission's processes could not be stopped while the baseline was timed")
            time.sleep(_ROUNDS_S)
        yield
    finally:
        for pid in touched:
            _signal(pid, signal.SIGCONT)


def _state(pid: int) -> str:
    """Return psutil's name for the state of a process; `dead` if it is gone."""
    try:
        return str(psutil.Process(pid).status())
    except psutil.Error:
        return str(psutil.STATUS_DEAD)


def _signal(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, number)


def _pin(root: int, to: set[int]) -> None:
    """Pin all threads of `root` and of its descendants to the cores `to`; what they start later inherits that."""
    for pid in cores.find_family([root]):
        with suppress(psutil.Error):  # the process ended meanwhile
            for thread in psutil.Process(pid).threads():
                with suppress(OSError):  # the thread ended meanwhile
                    os.sched_setaffinity(thread.id, to)
