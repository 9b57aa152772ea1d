"""From the files of a submission to what runs them: slices are cut and written, and workers know how to start."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from grader.intake.selection import find_near
from grader.model import Submission
from grader.slices.cutting import Slices, cut
from grader.worker.process import Limits, Place, WorkerProcess
from grader.worker.student import Starters, Student


def write_slices(slices: Slices, folder: Path) -> Path:
    """Write the text of the closed slices into `folder`, which is made, and return it."""
    folder.mkdir(parents=True)
    for name, text in slices.texts().items():
        (folder / name).write_text(text, "utf-8")
    return folder


class StartedAhead:
    """Starts workers; the first one may be under way before anybody calls."""

    def __init__(self, start: Callable[[], WorkerProcess]) -> None:
        self._start = start
        self._first: WorkerProcess | None = None

    def start(self) -> None:
        """Start the first worker now."""
        self._first = self._start()

    def __call__(self) -> WorkerProcess:
        """Return a worker that is the caller's to close."""
        first, self._first = self._first, None
        return first or self._start()

    def close(self) -> None:
        """End the first worker if nobody took it."""
        if self._first is not None:
            self._first.close()


@dataclass(frozen=True, slots=True)
class Opened:
    """A hand-in, and how further workers of its files start."""

    student: Student
    start_worker: Callable[[], WorkerProcess]
    """Starts a worker that imports the files as they are."""
    start_reader: Callable[[], WorkerProcess]
    """Starts a worker that reads them and imports none: it is not prepared for Numba, which takes half a second."""
    start_plain: StartedAhead
    """Starts a worker of slices that use NumPy as they like: for functions whose work is NumPy's."""

    def start(self, learns: bool) -> None:
        """Start the workers that will be used, one for a training among them if something `learns`."""
        if learns:
            self.start_plain.start()
        self.student.start()

    def close(self) -> None:
        """End all workers that nobody else ends."""
        self.start_plain.close()
        self.student.close()


def open_handin(
    place: Place,
    submission: Submission,
    graded: Iterable[tuple[str, str]],
    limits: Limits,
    start: Callable[[Place], WorkerProcess],
    start_executor: Callable[[Place], WorkerProcess] | None = None,
) -> Opened:
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
    )
    student = Student(starters, submission.missing, limits, submission.spare, near, slices=slices)
    plain = StartedAhead(lambda: start(replace(place, submission=folder, slices="plain")))
    return Opened(student, lambda: start(whole), lambda: start(place), plain)
