"""A submission made of whatever source a test gives, behind a real worker."""

import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grader.worker.client import Student
from grader.worker.process import Limits, Place, PlainLauncher, WorkerProcess

LIMITS = Limits(load_s=3, call_s=2, check_s=60)


@pytest.fixture
def submit(tmp_path: Path) -> Iterator[Callable[..., Student]]:
    """Return a function that makes a `Student` of the given utils.py."""
    started: list[Student] = []

    def make(utils: str, *, missing: tuple[str, ...] = (), limits: Limits = LIMITS) -> Student:
        submission, staff = tmp_path / "submission", tmp_path / "staff"
        submission.mkdir(exist_ok=True)
        staff.mkdir(exist_ok=True)
        (submission / "utils.py").write_text(textwrap.dedent(utils))
        place = Place(submission, staff)
        student = Student(lambda: WorkerProcess(place, "cpu", limits, PlainLauncher()), missing, limits)
        student.begin_check()
        started.append(student)
        return student

    yield make
    for student in started:
        student.close()
