"""From the files of a submission to the workers behind it: the same way for the grader and for the students' kit."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from grader.intake.selection import find_near
from grader.model import Submission
from grader.slices.cutting import cut
from grader.worker.handin import HandIn, write_slices
from grader.worker.process import Limits, Place, WorkerProcess


@dataclass(frozen=True, slots=True)
class Opened:
    """A hand-in, and how further workers of its files start."""

    handin: HandIn
    start_worker: Callable[[], WorkerProcess]
    """Starts a worker that imports the files as they are."""
    start_plain: Callable[[], WorkerProcess]
    """Starts a worker of slices that use NumPy as they like: for functions whose work is NumPy's."""


def open_handin(
    place: Place,
    submission: Submission,
    graded: Iterable[tuple[str, str]],
    limits: Limits,
    start: Callable[[Place], WorkerProcess],
) -> Opened:
    """Cut the slices of a submission and return what runs them; no worker starts yet.

    Args:
        place: Where its files lie; the slices are written beside them.
        submission: Which files there are.
        graded: Module and name of each graded function.
        limits: What a call may take.
        start: Starts a worker in a place.
    """
    files = [file.name for file in submission.files if file.name.endswith(".py")]
    contents = {name: (place.submission / name).read_bytes() for name in files}
    slices = cut(contents, graded)
    folder = write_slices(slices, place.submission.parent / "slices")
    whole = replace(place, imports_numba=any(b"numba" in text for text in contents.values()))
    near = {name: find_near(name, submission.spare) for name in submission.missing}
    handin = HandIn(
        lambda: start(whole),
        submission.missing,
        limits,
        submission.spare,
        near,
        slices=slices,
        start_slices=lambda: start(replace(whole, submission=folder, slices="observed")),
    )
    return Opened(handin, lambda: start(place), lambda: start(replace(place, submission=folder, slices="plain")))
