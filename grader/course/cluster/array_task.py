"""What a task of a job array runs on its node: `python -m grader.course.cluster.array_task ARRAY`.

Grades one hand-in as the local pool does, straight into the batch. Started twice, it does no harm: a hand-in that is
graded already is not graded again, and every file appears whole. Exit codes: 0 graded, 3 a failure of ours.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from threadpoolctl import threadpool_limits

from grader.course.cluster.arrays import Array, read_array
from grader.course.files import read_task
from grader.course.job import is_done, run_job
from grader.course.store import Store
from grader.errors import GraderError

OK, FAILED = 0, 3


def run_task(array: Array, index: int) -> int:
    """Grade the hand-in of task `index`, note that the task has ended, and return the exit code.

    Raises:
        GraderError: the end cannot be noted.
    """
    store = Store(array.path.parent.parent)
    problem = ""
    try:
        job = read_task(store, array.keys[index])
        if not is_done(store, job):
            run_job(store, job, _print_line)
    except GraderError as error:
        problem = str(error)
        _print_line(f"grader: {problem}")
    array.note_end(index, problem)
    return FAILED if problem else OK


def _print_line(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def main(arguments: Sequence[str], environment: Mapping[str, str] = os.environ) -> int:
    """Run the task of this job; return the exit code."""
    index = environment.get("SLURM_ARRAY_TASK_ID", "")
    if len(arguments) != 1 or not index.isdecimal():
        _print_line("usage: python -m grader.course.cluster.array_task ARRAY, as a task of a job array")
        return FAILED
    threadpool_limits(1)  # the judge's own products are small, and the cores are the submission's
    try:
        return run_task(read_array(Path(arguments[0])), int(index))
    except GraderError as error:
        _print_line(f"grader: {error}")
        return FAILED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
