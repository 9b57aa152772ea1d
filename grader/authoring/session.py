"""Run the checks of an assignment on one submission, in the grader and in the students' kit alike.

The checks run in one pytest session in this process; `plugin` keeps their observations.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

import pytest

from grader.authoring import Setup, Sources
from grader.authoring.fixtures import Grading
from grader.authoring.plugin import CHECK_LIMIT_S, GradingPlugin
from grader.errors import StaffError
from grader.model import Observation, Submission
from grader.worker.process import WorkerProcess
from grader.worker.student import Student


def observe(setup: Setup, submission: Submission, files: Path) -> tuple[Observation, ...]:
    """Run the checks of an assignment on a submission, and return their observations.

    Args:
        setup: The assignment, and how it is graded.
        submission: The names of the files.
        files: The folder of the files; the grading puts its own folders beside it, in the folder above.

    Raises:
        StaffError: rubric and checks contradict each other, or pytest could not run the checks.
        UsageError: the data set is damaged.
        KeyboardInterrupt: somebody pressed Ctrl-C, which pytest itself catches.
    """
    assignment = setup.assignment
    settings = setup.settings(files, assignment.staff, temporary=files.parent)
    start = partial(WorkerProcess, launcher=setup.launcher)
    with closing(Student(settings, submission, assignment.graded, start)) as student:
        if setup.starts_ahead:
            student.start(learns=setup.learns)
        setup.dataset  # noqa: B018 - it is loaded while the workers start, which takes as long
        plugin = GradingPlugin(Grading(setup, student, Sources(files, submission)))
        checks = assignment.checks
        code = _run_pytest(checks, (plugin,), "--strict-markers")
    if plugin.staff_error is not None:
        raise plugin.staff_error
    if code not in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}:
        raise StaffError(
            f"pytest could not run the checks in {checks} (exit code {int(code)}): run `pytest {checks}` to see why"
        )
    return plugin.observations


def collect_checks(checks: Path) -> None:
    """Let pytest import itself and all checks, but run none: forked processes then have them imported already.

    Raises:
        KeyboardInterrupt: as in `observe`.
    """
    _run_pytest(checks, (), "--collect-only")


def _run_pytest(checks: Path, plugins: Sequence[object], option: str) -> int:
    args = [
        str(checks),
        f"--rootdir={checks}",
        f"--config-file={os.devnull}",
        "--import-mode=importlib",
        "--disable-plugin-autoload",
        *("-p", "pytest_timeout"),
        *("-p", "no:cacheprovider"),
        *("-p", "no:unraisableexception"),  # that plugin collects all garbage at the end, which takes 0.1 s
        f"--timeout={CHECK_LIMIT_S}",
        *("-o", "timeout_func_only=true"),  # a batch waits for the GPU before a check begins
        "--capture=no",
        *("-p", "no:terminal"),
        option,
    ]
    stop = _CtrlC()
    with _without_pytest_environment():
        code = pytest.main(args, plugins=[*plugins, stop])
    if stop.pressed:
        raise KeyboardInterrupt
    return code


class _CtrlC:
    """Notices Ctrl-C: pytest's exit code is the same if a session stops itself."""

    pressed = False

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Keep whether Ctrl-C ended the session."""
        self.pressed = excinfo.type is KeyboardInterrupt


@contextmanager
def _without_pytest_environment() -> Iterator[None]:
    """Hide the settings of an outer pytest, or of the user's shell, from the checks."""
    kept = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith(("PYTEST_", "COV_"))}
    try:
        yield
    finally:
        os.environ.update(kept)
