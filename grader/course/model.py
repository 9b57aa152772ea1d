"""What a batch grades, and how, as frozen values; and the seam to what runs its gradings, this machine or a cluster.

    roster (hand-ins of students)  +  reports of hand-ins  +  marks of TAs  =  grade sheet (one row per student)

A backend sees to it that `grader.course.job.run_job` runs once per job, in a process of its own. Everything that this
needs lies in `store.task(key)`, which is there before `run` is called; everything that comes of it lies in
`store.folder(key)`, with `store.job(key)` written last. So the disk tells what is done, whatever became of a process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from grader.assignment import DEFAULT
from grader.course.people import Handin
from grader.course.store import Store
from grader.intake.datasets import DIGITS


@dataclass(frozen=True, slots=True)
class GradingOptions:
    """How all hand-ins of a batch are graded: the options of `grader grade`, as plain values."""

    assignment: str = DEFAULT
    data: str = "data"
    """A folder, or `digits`."""
    device: str = "auto"
    sandbox: str = "auto"
    only: tuple[str, ...] = ()
    """Check ids, or their first words; empty for all."""
    explain: bool = False
    limit_s: float = 0.0
    """Wall time per call and import of student code; 0 for the usual one."""

    @property
    def folder(self) -> Path | None:
        """Where MNIST may lie; None if the digits are asked for."""
        return None if self.data == DIGITS else Path(self.data)


@dataclass(frozen=True, slots=True)
class Job:
    """One hand-in with everything that its grading depends on; two equal fingerprints mean the same grading."""

    handin: Handin
    fingerprint: dict[str, str] = field(default_factory=dict)
    """What it depends on, each part by name: `submission`, `checks`, `grader`, `options`, ... The rubric is not among
    them: old evidence is scored again."""
    how: GradingOptions = field(default_factory=GradingOptions)
    seed: int = 0
    regrade_id: str = ""
    """Id of the request to grade again that this job belongs to, so that a killed batch knows what is done of it."""
    joins: bool = False
    """Whether the observations of the checks in `how.only` join the old evidence, instead of replacing it."""


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
