"""One pytest session over the checks of an assignment, in this process: `plugin` keeps what they observe."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from grader.authoring.plugin import CHECK_LIMIT_S, GradingPlugin
from grader.errors import StaffError, UsageError

_SILENT = ("-p", "no:terminal")


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
    if code == pytest.ExitCode.INTERRUPTED:
        raise KeyboardInterrupt
    if code == pytest.ExitCode.USAGE_ERROR and more:
        msg = f"pytest does not take {' '.join(more)!r}; it says why above: correct --pytest"
        raise UsageError(msg)
    if code not in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}:
        msg = f"pytest could not run the checks in {checks} (exit code {int(code)}): run `pytest {checks}` to see why"
        raise StaffError(msg)


def collect_checks(checks: Path) -> None:
    """Let pytest import itself and all checks, and run none: sessions in forked processes then find them here."""
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
        f"--timeout={CHECK_LIMIT_S}",
        *("-o", "timeout_func_only=true"),  # a batch waits for the GPU before a check begins
        "--capture=no",
        *more,
    ]
    with _without_pytest_environment():
        return pytest.main(args, plugins=list(plugins))


@contextmanager
def _without_pytest_environment() -> Iterator[None]:
    """Keep settings of an outer pytest, or of the user's shell, away from the checks."""
    kept = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith(("PYTEST_", "COV_"))}
    try:
        yield
    finally:
        os.environ.update(kept)
