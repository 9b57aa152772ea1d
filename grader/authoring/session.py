"""One submission under the checks of its assignment: the same way for the grader and for the students' kit.

The checks run in one pytest session in this process; `plugin` keeps what they observe.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from grader.assignment import Assignment
from grader.authoring import Setup, Sources
from grader.authoring.fixtures import Grading, id_of
from grader.authoring.plugin import CHECK_LIMIT_S, GradingPlugin
from grader.errors import StaffError, UsageError
from grader.intake.datasets import Dataset
from grader.model import Observation, Submission
from grader.worker.process import Launcher, Limits, Place, WorkerProcess
from grader.worker.student import open_student

_SILENT = ("-p", "no:terminal")


@dataclass(frozen=True, slots=True)
class Conditions:
    """How the checks of a submission run."""

    launcher: Launcher
    device: str
    load_data: Callable[[], Dataset]
    """Called while the workers start, which takes as long."""
    seed: int
    explain: bool = False
    """Whether to look into kernels for races and costs."""
    limits: Limits = field(default_factory=Limits)
    only: tuple[str, ...] = ()
    """Check ids, or their first words; empty for all."""
    starts_ahead: bool = True
    """Whether workers start before a check asks for them; a check that reads files needs none."""
    has_baselines: bool = True
    """Whether the staff's own programs are here, with which times are compared."""
    pytest_args: tuple[str, ...] = ()
    progress: Callable[[str], None] = lambda _check: None
    """Told the id of each check when it starts."""
    take: Callable[[Observation], None] = lambda _observation: None
    """Given each observation as soon as its check is over."""


def observe(
    assignment: Assignment, submission: Submission, place: Place, conditions: Conditions
) -> tuple[Observation, ...]:
    """Run the checks of `assignment` on the files of `submission` in `place`; return what they observed.

    Raises:
        StaffError: rubric and checks contradict each other, or pytest could not run them.
        UsageError: pytest does not take the arguments for it, or the data set is damaged.
    """
    device, limits = conditions.device, limits_here(conditions.limits)

    def start(where: Place, device: str = device) -> WorkerProcess:
        return WorkerProcess(where, device, limits, conditions.launcher)

    def start_executor(where: Place) -> WorkerProcess:
        return start(where, "cpu")

    def start_staff() -> WorkerProcess:
        return start(Place(assignment.baselines, assignment.baselines))

    names = tuple(file.name for file in submission.files)
    executor = start_executor if device != "cpu" else None
    student = open_student(place, submission, assignment.graded, limits, start, executor)
    try:
        if conditions.starts_ahead:
            student.start(learns=assignment.reads_data(conditions.only))
        grading = Grading(
            assignment,
            student,
            Setup(device, conditions.load_data(), conditions.seed, conditions.explain),
            Sources(place.submission, names, submission.warnings, submission.missing, submission.spare),
            conditions.only,
            conditions.progress,
            start_staff if conditions.has_baselines else None,
        )
        plugin = GradingPlugin(grading)
        run_checks(assignment.checks, plugin, conditions.pytest_args, [_Listener(plugin, conditions.take)])
    finally:
        student.close()
    return plugin.observations


class _Listener:
    """Hands on each check's observation when its last test is over."""

    def __init__(self, plugin: GradingPlugin, take: Callable[[Observation], None]) -> None:
        self._plugin, self._take = plugin, take

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: Any, nextitem: Any) -> Generator[None, object, object]:
        """Wait for the test to end; the tests of one check follow each other."""
        answer = yield
        check = id_of(item)
        if nextitem is None or id_of(nextitem) != check:
            for observation in self._plugin.observations:
                if observation.check == check:
                    self._take(observation)
        return answer


def limits_here(limits: Limits) -> Limits:
    """Return `limits` as this system can keep them: only Linux limits a process's address space reliably."""
    if sys.platform == "linux":
        return limits
    return replace(limits, address_space_bytes=0)


def run_checks(
    checks: Path, plugin: GradingPlugin, more: tuple[str, ...] = (), listeners: Sequence[object] = ()
) -> None:
    """Run the checks in this process; whatever pytest prints goes to stderr, and only if it was asked for more.

    Args:
        checks: The folder with the test functions.
        plugin: Takes what they observe.
        more: Further arguments for pytest.
        listeners: Further plugins, which only look on.

    Raises:
        UsageError: pytest does not take `more`.
        StaffError: rubric and checks contradict each other, or pytest could not run them.
        KeyboardInterrupt: somebody pressed Ctrl-C, which pytest takes for its own.
    """
    code = _run_pytest(checks, (plugin, *listeners), ("--strict-markers", *(more or _SILENT)))
    if plugin.staff_error is not None:
        raise plugin.staff_error
    if code == pytest.ExitCode.USAGE_ERROR and more:
        raise UsageError(f"pytest does not take {' '.join(more)!r}; it says why above: correct --pytest")
    if code not in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}:
        raise StaffError(
            f"pytest could not run the checks in {checks} (exit code {int(code)}): run `pytest {checks}` to see why"
        )


def collect_checks(checks: Path) -> None:
    """Let pytest import itself and all checks, and run none: sessions in forked processes then find them here.

    Raises:
        KeyboardInterrupt: as `run_checks`.
    """
    _run_pytest(checks, (), ("--collect-only", *_SILENT))


def _run_pytest(checks: Path, plugins: Sequence[object], more: tuple[str, ...]) -> int:
    args = [
        str(checks),
        f"--rootdir={checks}",
        f"--config-file={os.devnull}",
        "--import-mode=importlib",
        "--disable-plugin-autoload",
        *("-p", "pytest_timeout"),
        *("-p", "no:cacheprovider"),
        *("-p", "no:unraisableexception"),  # it collects all garbage at the end, a tenth of a second
        f"--timeout={CHECK_LIMIT_S}",
        *("-o", "timeout_func_only=true"),  # a batch waits for the GPU before a check begins
        "--capture=no",
        *more,
    ]
    stop = _CtrlC()
    with _without_pytest_environment():
        code = pytest.main(args, plugins=[*plugins, stop])
    if stop.pressed:
        raise KeyboardInterrupt
    return code


class _CtrlC:
    """Notices Ctrl-C, which pytest reports with the same exit code as a session that it stopped itself."""

    pressed = False

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Look at what ended the session."""
        self.pressed = excinfo.type is KeyboardInterrupt


@contextmanager
def _without_pytest_environment() -> Iterator[None]:
    """Keep settings of an outer pytest, or of the user's shell, away from the checks."""
    kept = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith(("PYTEST_", "COV_"))}
    try:
        yield
    finally:
        os.environ.update(kept)
