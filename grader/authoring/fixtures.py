"""What a check is handed: pytest's fixtures over one grading. `grader.authoring` lists them for those who write checks.

Functions of a module, not methods of the plugin: pytest 10 refuses methods that outlive a test.
"""

import math
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from grader.authoring import Note, Setup, Sources
from grader.errors import NotMeasured
from grader.model import Threshold
from grader.worker.background import Background
from grader.worker.client import Staff
from grader.worker.process import Limits, WorkerProcess
from grader.worker.student import Parts, Student


@dataclass(frozen=True, slots=True)
class Grading:
    """What the fixtures hand to the checks of one submission."""

    setup: Setup
    student: Student
    sources: Sources


GRADING = pytest.StashKey[Grading]()
"""Where pytest's configuration holds the grading that is under way."""
_NOTE = pytest.StashKey[Note]()


def id_of(item: pytest.Item) -> str:
    """Return the id of the check that a test is; empty for a test that is none."""
    mark = item.get_closest_marker("check")
    return str(mark.kwargs["id"]) if mark else ""


def note_of(item: pytest.Item) -> Note:
    """Return the note of a test: the same one for the check and for what keeps its observation."""
    note: Note = item.stash.setdefault(_NOTE, Note())
    return note


@pytest.fixture(scope="session")
def student(request: pytest.FixtureRequest) -> Student:
    """The submission behind its worker."""
    return request.config.stash[GRADING].student


@pytest.fixture(scope="session")
def staff(request: pytest.FixtureRequest) -> Iterator[Staff]:
    """The staff's own modules behind a worker that never loads student code; it starts when it is first used."""
    setup = request.config.stash[GRADING].setup

    def start() -> WorkerProcess:
        if not setup.has_baselines:
            raise NotMeasured("Times are compared with the course staff's own programs, which are not here.")
        baselines = setup.assignment.baselines
        return WorkerProcess(setup.settings(baselines, baselines), setup.launcher)

    staff = Staff(start, Limits(grading_s=math.inf))  # what staff's own programs take is no fault of the submission's
    yield staff
    staff.close()


@pytest.fixture
def threshold(request: pytest.FixtureRequest) -> Threshold | None:
    """What the rubric demands of this check's fact."""
    return request.config.stash[GRADING].setup.assignment.rubric.criterion(id_of(request.node)).threshold


@pytest.fixture(scope="session")
def setup(request: pytest.FixtureRequest) -> Setup:
    """This grading's device, data set and seed."""
    return request.config.stash[GRADING].setup


@pytest.fixture(scope="session")
def sources(request: pytest.FixtureRequest) -> Sources:
    """The submission's files, read as data."""
    return request.config.stash[GRADING].sources


@pytest.fixture
def rng(request: pytest.FixtureRequest, setup: Setup) -> np.random.Generator:
    """A generator of this check's own: the same whichever other checks run."""
    return np.random.default_rng([setup.seed, zlib.crc32(id_of(request.node).encode())])


@pytest.fixture
def note(request: pytest.FixtureRequest) -> Note:
    """Takes what the check wants to be kept."""
    return note_of(request.node)


@pytest.fixture(scope="session")
def background(request: pytest.FixtureRequest) -> Iterator[Callable[..., Background]]:
    """Start `module.function(*args)` in a worker of its own; ended with the session.

    `uses` are the graded functions that take part, and `subject` what messages call it, see `Background`. A module that
    only `reads` imports no file of the submission.
    """
    student, started = request.config.stash[GRADING].student, list[Background]()

    def start(
        module: str, function: str, *args: Any, uses: Parts = (), reads: bool = False, subject: str = ""
    ) -> Background:
        started.append(Background(student, (module, function, args), uses, reads=reads, subject=subject))
        return started[-1]

    yield start
    for call in started:
        call.close()
