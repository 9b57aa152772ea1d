"""A submission made of whatever source a test gives, behind a real worker."""

import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grader.worker.client import Student
from grader.worker.process import Limits, Place, PlainLauncher, WorkerProcess

LIMITS = Limits(load_s=3, call_s=2, grading_s=60)


@pytest.fixture
def submit(tmp_path: Path) -> Iterator[Callable[..., Student]]:
    """Return a function that makes a `Student` of the given utils.py."""
    yield from _make_students(tmp_path)


@pytest.fixture(scope="module")
def submit_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Student]]:
    """Return the same for all tests of a module, for what is compiled once and never broken."""
    yield from _make_students(tmp_path_factory.mktemp("once"))


def _make_students(folder: Path) -> Iterator[Callable[..., Student]]:
    started: list[Student] = []

    def make(
        utils: str, *, missing: tuple[str, ...] = (), limits: Limits = LIMITS, spare: tuple[str, ...] = ()
    ) -> Student:
        submission, staff = folder / "submission", folder / "staff"
        submission.mkdir(exist_ok=True)
        staff.mkdir(exist_ok=True)
        (submission / "utils.py").write_text(textwrap.dedent(utils))
        place = Place(submission, staff)
        student = Student(lambda: WorkerProcess(place, "cpu", limits, PlainLauncher()), missing, limits, spare)
        student.begin_check()
        started.append(student)
        return student

    yield make
    for student in started:
        student.close()
