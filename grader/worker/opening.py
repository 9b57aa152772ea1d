"""From the files of a submission to what runs them: slices are cut and written, and workers know how to start."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from grader.intake.selection import find_near
from grader.model import Submission
from grader.slices.cutting import Slices, cut
from grader.worker.process import Limits, Place, WorkerProcess
from grader.worker.student import StartedAhead, Starters, Student


def write_slices(slices: Slices, folder: Path) -> Path:
    """Write the text of the closed slices into `folder`, which is made, and return it."""
    folder.mkdir(parents=True)
    for name, text in slices.texts().items():
        (folder / name).write_text(text, "utf-8")
    return folder


def open_student(
    place: Place,
    submission: Submission,
    graded: Iterable[tuple[str, str]],
    limits: Limits,
    start: Callable[[Place], WorkerProcess],
    start_executor: Callable[[Place], WorkerProcess] | None = None,
) -> Student:
    """Cut the slices of a submission and return what runs them; no worker starts yet.

    Args:
        place: Where its files lie; the slices are written beside them.
        submission: Which files there are.
        graded: Module and name of each graded function.
        limits: What a call may take.
        start: Starts a worker in a place.
        start_executor: Starts one whose kernels the executor runs, if another device runs them in the others.
    """
    files = [file.name for file in submission.files if file.name.endswith(".py")]
    contents = {name: (place.submission / name).read_bytes() for name in files}
    slices = cut(contents, graded)
    numba, mpi = (any(name in text for text in contents.values()) for name in (b"numba", b"mpi4py"))
    whole = replace(place, imports_numba=numba, imports_mpi=mpi)
    folder = write_slices(slices, place.submission.parent / "slices")
    near = {name: find_near(name, submission.spare) for name in submission.missing}
    observed = replace(whole, submission=folder, slices="observed")
    starters = Starters(
        lambda: start(whole),
        lambda: start(observed),
        lambda: start(replace(whole, submission=folder, slices="plain")),
        (lambda: start_executor(observed)) if start_executor else None,
        lambda: start(place),
        StartedAhead(lambda: start(replace(place, submission=folder, slices="plain"))),
    )
    return Student(starters, submission.missing, limits, submission.spare, near, slices=slices)
