"""What every grading of a batch needs anew and one process can have ready for all: imports, data set, probed sandbox.

A grading that is forked from a warm process starts in milliseconds instead of a second.
"""

from __future__ import annotations

import ast
import contextlib
import ctypes
import gc
import importlib
from collections.abc import Iterator
from pathlib import Path

from threadpoolctl import threadpool_limits

from grader import timing
from grader.assignment import Assignment
from grader.authoring import judges
from grader.authoring.session import collect_checks
from grader.course.model import GradingOptions
from grader.intake.datasets import Dataset, load_dataset
from grader.machine import choose_device
from grader.model import Evidence, File, Run, Submission
from grader.reports.files import FORMATS
from grader.sandbox.levels import choose_launcher
from grader.scoring.score import score

ALWAYS = ("pytest_timeout", "jinja2", "junitparser", "pygments.lexers.python", "pygments.formatters.html")

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3
"""Switches of mallopt(3)."""
_KEPT_BYTES = 1 << 28


def warm_up(assignment: Assignment, how: GradingOptions) -> Dataset:
    """Import what checks and reports import, try device and sandbox, and return the data set.

    Products of matrices keep to one thread from here on: the judge's own are small, and a forked process would start
    the threads of its BLAS anew, which then spin for a fifth of a second on the cores that the submissions need.

    Raises:
        UsageError: the device, data or sandbox that was asked for is not to be had here.
    """
    device, _name = choose_device(how.device)
    choose_launcher(how.sandbox, device)
    dataset = load_dataset(how.folder, wanted=bool(assignment.learns))
    for name in (*ALWAYS, *sorted(set(_imported(assignment.folder)))):
        with contextlib.suppress(Exception):  # whoever really needs it will meet the error, and name it
            importlib.import_module(name)
    collect_checks(assignment.checks)
    _render_once(assignment)
    threadpool_limits(1)
    _keep_freed_memory()
    gc.collect()
    gc.freeze()  # what is here now stays: a collection in a forked process need not touch, and so copy, its pages
    return dataset


def _keep_freed_memory() -> None:
    """Let glibc keep what arrays of checks have freed for the next ones: two thirds of all page faults are theirs."""
    with contextlib.suppress(OSError, AttributeError):  # another C library has no such switch, and needs none
        for switch in (_M_MMAP_THRESHOLD, _M_TRIM_THRESHOLD):
            ctypes.CDLL(None).mallopt(switch, _KEPT_BYTES)


def _render_once(assignment: Assignment) -> None:
    """Render a report of next to nothing, so that templates, style sheets and the lexer of listings are compiled."""
    submission = Submission("", "", (File("-.py", 0, "", "pass"),))
    nothing = Evidence(submission, Run("cpu", "", "", 0), (), assignment.name, refusal="-")
    for _file, render in FORMATS.values():
        render(score(nothing, assignment.rubric))


def _imported(folder: Path) -> Iterator[str]:
    """Yield the modules that the assignment's own files, and what judges and times for them, import anywhere."""
    rooms = (folder, folder / "checks", Path(judges.__file__).parent, Path(timing.__file__).parent)
    for file in (file for room in rooms for file in room.glob("*.py")):
        for node in ast.walk(ast.parse(file.read_bytes())):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                yield node.module
                yield from (f"{node.module}.{alias.name}" for alias in node.names)
