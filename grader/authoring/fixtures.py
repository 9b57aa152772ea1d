"""The pytest fixtures that checks use. `grader.authoring` lists them for authors of checks.

They are functions of a module, not methods of the plugin: pytest 10 refuses methods with more than a test's scope.
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
    """The objects that the fixtures give to the checks of one submission."""

    setup: Setup
    student: Student
    sources: Sources


GRADING = pytest.StashKey[Grading]()  # the key of the current grading in the stash of pytest's configuration
_NOTE = pytest.StashKey[Note]()


def id_of(item: pytest.Item) -> str:
    """Return the id of a test's check; empty for a test that is not a check."""
    mark = item.get_closest_marker("check")
    return str(mark.kwargs["id"]) if mark else ""


def note_of(item: pytest.Item) -> Note:
    """Return the note of a test: the check and the plugin use the same one."""
    note: Note = item.stash.setdefault(_NOTE, Note())
    return note


@pytest.fixture(scope="session")
def student(request: pytest.FixtureRequest) -> Student:
    """The submission behind its worker."""
    return request.config.stash[GRADING].student


@pytest.fixture(scope="session")
def staff(request: pytest.FixtureRequest) -> Iterator[Staff]:
    """The staff's own modules, in a worker that never loads student code and starts at the first call."""
    setup = request.config.stash[GRADING].setup

    def start() -> WorkerProcess:
        if not setup.has_baselines:
            raise NotMeasured("Times are compared with the course staff's own programs, which are not here.")
        baselines = setup.assignment.baselines
        return WorkerProcess(setup.settings(baselines, baselines), setup.launcher)

    staff = Staff(start, Limits(grading_s=math.inf))  # the time of the staff's programs is not the submission's
    yield staff
    staff.close()


@pytest.fixture
def threshold(request: pytest.FixtureRequest) -> Threshold | None:
    """The limit that the rubric sets for this check's fact."""
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
    """A generator for this check; its numbers do not depend on which other checks run."""
    return np.random.default_rng([setup.seed, zlib.crc32(id_of(request.node).encode())])


@pytest.fixture
def note(request: pytest.FixtureRequest) -> Note:
    """The note in which the check keeps facts, remarks and flags."""
    return note_of(request.node)


@pytest.fixture(scope="session")
def background(request: pytest.FixtureRequest) -> Iterator[Callable[..., Background]]:
    """A function that starts `module.function(*args)` in a worker of its own, which ends with the session.

    `uses` are the graded functions that take part; `subject` names the call in messages, see `Background`. With
    `reads`, the module imports no file of the submission.
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
