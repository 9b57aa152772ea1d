"""The seam between a batch and what runs its gradings: this machine (`pool`), or a cluster.

A backend sees to it that `grader.course.job.run_job` runs once per job, in a process of its own. Everything that this
needs lies in `store.task(key)`, which is there before `run` is called; everything that comes of it lies in
`store.folder(key)`, with `store.job(key)` written last. So the disk tells what is done, whatever became of a process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from grader.course.model import Job
from grader.course.store import Store

Announce = Callable[[str, str], None]
"""Told the key of a hand-in and what happens to it, in a few words: the id of the check that runs, or `waits`, ...

An empty key only says that time has passed.
"""


@dataclass(frozen=True, slots=True)
class Finished:
    """A job has ended for good: its result is on the disk, or a failure that is ours."""

    key: str
    problem: str = ""
    """Why there is no result, as one sentence. Never the student's fault: it becomes `error` evidence, not a zero."""


class Backend(Protocol):
    """What runs gradings."""

    def run(self, jobs: Sequence[Job], store: Store, announce: Announce) -> Iterator[Finished]:
        """Grade all `jobs` and yield each once, as soon as it has ended, in any order.

        A job whose process was lost is started again by the backend itself, a bounded number of times. Closing the
        iterator early (Ctrl-C) ends what still runs.

        Raises:
            GraderError: nothing can be graded at all, such as a cluster that refuses.
        """
        ...
