"""One submission, end to end: intake, checks, evidence, score. The only place that knows the whole way.

path --archive--> files --plugin (pytest, parent) + worker (student code)--> observations --scoring--> report
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from grader.assignment import Assignment, has_learned
from grader.authoring.session import Conditions, observe
from grader.errors import SubmissionRefused
from grader.intake.archive import read_submission
from grader.intake.datasets import Dataset, load_dataset
from grader.machine import choose_device, describe_hardware, describe_versions
from grader.model import Evidence, Observation, Report, Run, Submission, printable
from grader.sandbox.identity import let_through
from grader.sandbox.levels import choose_launcher
from grader.scoring.score import score
from grader.worker.folders import temporary_folder
from grader.worker.process import Limits, Place


@dataclass(frozen=True, slots=True)
class Options:
    """How to grade; the defaults are what `make grade` uses."""

    data: Path | None = None
    seed: int | None = None
    """None for a fresh one: nobody can prepare for it."""
    device: str = "auto"
    sandbox: str = "auto"
    """One of `grader.sandbox.levels.WANTED`; `auto` takes the strongest that works here."""
    only: tuple[str, ...] = ()
    explain: bool = False
    """Whether to look into kernels for races and costs."""
    limits: Limits = field(default_factory=Limits)
    pytest_args: tuple[str, ...] = ()
    """Further arguments for pytest, such as `-k gpu -x`."""
    dataset: Dataset | None = None
    """The data set that lies in `data`, if it has been loaded already: a batch loads it once."""


def grade(
    path: Path, assignment: Assignment, options: Options, progress: Callable[[str], None] = lambda _text: None
) -> Report:
    """Grade the zip or folder at `path`; a file that cannot be opened safely gives a report that says so.

    Args:
        path: What was handed in.
        assignment: What to hold it against.
        options: How.
        progress: Told what is being done, a few words at a time.

    Raises:
        UsageError: the path, device or data folder does not exist, or the sandbox that was asked for does not work.
        StaffError: rubric and checks contradict each other, or pytest could not run them.
    """
    began = time.perf_counter()
    device, device_name = choose_device(options.device)
    sandbox = choose_launcher(options.sandbox, device)

    @cache
    def load_data() -> Dataset:
        return options.dataset or load_dataset(options.data, wanted=assignment.reads_data(options.only))

    conditions = Conditions(
        sandbox.launcher,
        device,
        load_data,
        secrets.randbits(32) if options.seed is None else options.seed,
        options.explain,
        options.limits,
        only=options.only,
        starts_ahead=not (options.only or options.pytest_args),
        pytest_args=options.pytest_args,
        progress=progress,
    )
    refusal = ""
    try:
        submission, observations = _run_checks(path, assignment, conditions)
    except SubmissionRefused as refused:
        submission, observations, refusal = _unopened(path), (), str(refused)
    about_data = load_data().note if has_learned(assignment.learns, observations) else ""
    run = Run(
        device=device,
        data=load_data().name,
        sandbox=sandbox.launcher.level,
        seed=conditions.seed,
        versions=describe_versions(),
        hardware=describe_hardware(device_name),
        notes=tuple(filter(None, [about_data, sandbox.note])),
    )
    wall_s = round(time.perf_counter() - began, 3)
    evidence = Evidence(submission, run, observations, assignment.name, refusal=refusal, wall_s=wall_s)
    return score(evidence, assignment.rubric)


def _run_checks(
    path: Path, assignment: Assignment, conditions: Conditions
) -> tuple[Submission, tuple[Observation, ...]]:
    """Unpack what was handed in into a folder of this grading, and return it with what the checks observed."""
    with temporary_folder("submission") as folder:
        let_through(str(folder))
        place = Place(folder / "files", assignment.staff, temporary=folder)
        submission = read_submission(path, place.submission, assignment.files)
        return submission, observe(assignment, submission, place, conditions)


def _unopened(path: Path) -> Submission:
    return Submission(printable(path.stem if path.suffix.lower() == ".zip" else path.name, 200), sha256="")
