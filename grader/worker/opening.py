"""What starts the workers of a submission: for its files as they are, and for its slices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from grader.slices.cutting import Slices
from grader.worker.process import Place, WorkerProcess


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
class Starters:
    """What starts each worker of a submission."""

    whole: Callable[[], WorkerProcess]
    """For the files as they were handed in."""
    slices: Callable[[], WorkerProcess]
    """For the slices, observed."""
    plain: Callable[[], WorkerProcess]
    """For the slices, without observers."""
    executor: Callable[[], WorkerProcess] | None = None
    """For the slices where the executor runs kernels; None if it does so in the others, too."""
    reader: Callable[[], WorkerProcess] | None = None
    """Reads the files and imports none: it is not prepared for Numba, which takes half a second."""
    training: StartedAhead | None = None
    """As `plain`, and not prepared for Numba: for functions whose work is NumPy's."""


def write_slices(slices: Slices, folder: Path) -> Path:
    """Write the text of the closed slices into `folder`, which is made, and return it."""
    folder.mkdir(parents=True)
    for name, text in slices.texts().items():
        (folder / name).write_text(text, "utf-8")
    return folder


def make_starters(
    place: Place,
    contents: Mapping[str, bytes],
    slices: Slices,
    start: Callable[[Place], WorkerProcess],
    start_executor: Callable[[Place], WorkerProcess] | None,
) -> Starters:
    """Write the slices beside the files of a submission, and return what starts its workers; see `open_student`."""
    numba, mpi = (any(name in text for text in contents.values()) for name in (b"numba", b"mpi4py"))
    whole = replace(place, imports_numba=numba, imports_mpi=mpi)
    folder = write_slices(slices, place.submission.parent / "slices")
    observed = replace(whole, submission=folder, slices="observed")
    return Starters(
        lambda: start(whole),
        lambda: start(observed),
        lambda: start(replace(whole, submission=folder, slices="plain")),
        (lambda: start_executor(observed)) if start_executor else None,
        lambda: start(place),
        StartedAhead(lambda: start(replace(place, submission=folder, slices="plain"))),
    )
