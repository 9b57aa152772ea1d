"""A submission made of whatever source a test gives, behind a real worker."""

import textwrap
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from grader.model import Submission
from grader.worker.client import WorkerClient
from grader.worker.process import Limits, PlainLauncher, Settings, WorkerProcess

LIMITS = Limits(load_s=3, call_s=2, grading_s=60)


@pytest.fixture
def submit(tmp_path: Path) -> Iterator[Callable[..., WorkerClient]]:
    """Return a function that makes a `WorkerClient` of the given utils.py."""
    yield from _make_students(tmp_path)


@pytest.fixture(scope="module")
def submit_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., WorkerClient]]:
    """Return the same for all tests of a module, for what is compiled once and never broken."""
    yield from _make_students(tmp_path_factory.mktemp("once"))


@pytest.fixture
def starter(tmp_path: Path) -> Callable[..., Callable[[], WorkerProcess]]:
    """Return a function that returns what starts a worker of the given utils.py, which the test closes."""

    def make(utils: str, *, limits: Limits = LIMITS) -> Callable[[], WorkerProcess]:
        return lambda: WorkerProcess(_write_utils(tmp_path, utils, limits), PlainLauncher())

    return make


def _write_utils(folder: Path, utils: str, limits: Limits) -> Settings:
    """Write utils.py into the folder of a submission, beside an empty one of the staff's."""
    settings = Settings(folder / "submission", folder / "staff", limits=limits)
    for made in (settings.submission, settings.staff):
        made.mkdir(exist_ok=True)
    (settings.submission / "utils.py").write_text(textwrap.dedent(utils))
    return settings


def _make_students(folder: Path) -> Iterator[Callable[..., WorkerClient]]:
    with ExitStack() as started:

        def make(utils: str, *, limits: Limits = LIMITS, **of_submission: tuple[str, ...]) -> WorkerClient:
            settings, submission = _write_utils(folder, utils, limits), Submission("", "", **of_submission)
            student = WorkerClient(lambda: WorkerProcess(settings, PlainLauncher()), limits, submission)
            student.begin_check()
            return started.enter_context(closing(student))

        yield make
