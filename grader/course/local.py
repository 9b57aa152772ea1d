"""The pool of this machine, made ready for one batch: warm, and with a gate where there is a GPU to be timed on."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

from grader.course.gate import Gate, gated
from grader.course.job import run_job
from grader.course.model import Job
from grader.course.pool import LocalPool
from grader.course.prefork import warm_up
from grader.course.running import Batch
from grader.course.store import Store
from grader.intake.datasets import Dataset
from grader.machine import choose_device, count_cores

MOST_ON_A_GPU = 6
"""Workers that share a GPU's memory. Twice as many gradings may be begun, each of which waits for those before it to be
timed, a minute each or three if it is disturbed: in sum less than the limit of a grading."""


def make_pool(batch: Batch, workers: int = 0) -> LocalPool:
    """Return the backend for `batch` with as many `workers` as asked for; 0 for one more than cores.

    One more, because each grading leaves its core now and then: a worker starts, a file reaches the disk. On a GPU,
    where times are taken, there are as many as cores.

    Raises:
        UsageError: the device, data or sandbox that was asked for is not to be had here.
    """
    if not batch.plan.jobs:
        return LocalPool(1, run_job)
    dataset = warm_up(batch.assignment, batch.settings.how)
    if choose_device(batch.settings.how.device)[0] != "gpu":
        return LocalPool(workers or count_cores() + 1, partial(run_job, dataset=dataset))
    timed = tuple(row.id for row in batch.assignment.rubric.criteria if row.hardware == "gpu")
    grade = partial(_grade_gated, dataset=dataset, folder=batch.store.root / "gate", timed=timed)
    return LocalPool(workers or min(count_cores(), MOST_ON_A_GPU), grade)


def _grade_gated(
    store: Store, job: Job, progress: Callable[[str], None], *, dataset: Dataset, folder: Path, timed: tuple[str, ...]
) -> None:
    with closing(Gate(folder, timed)) as gate:
        run_job(store, job, gated(progress, gate), dataset)
