"""Grades one submission: intake, checks, evidence, score. Only this module knows all these steps.

path --archive--> files --plugin (pytest, parent) + worker (student code)--> observations --scoring--> report
"""

import time
from collections.abc import Callable
from pathlib import Path

from grader.assignment import Assignment, has_learned
from grader.authoring import Options, Setup
from grader.authoring.session import observe
from grader.errors import SubmissionRefused
from grader.intake.archive import read_submission
from grader.machine import choose_device, describe_hardware, describe_versions, keep_freed_memory
from grader.model import Evidence, Report, Run, Submission, printable
from grader.sandbox.identity import let_through
from grader.sandbox.levels import choose_launcher
from grader.scoring.score import score
from grader.worker.folders import temporary_folder

__all__ = ["Options", "grade"]


def grade(
    path: Path, assignment: Assignment, options: Options, progress: Callable[[str], None] = lambda _text: None
) -> Report:
    """Grade the zip or folder at `path`; for a file that cannot be opened safely, the report says so.

    Args:
        path: The handed-in zip or folder.
        assignment: The assignment whose checks run.
        options: The options of the grading.
        progress: Called with the current step, in a few words.

    Raises:
        UsageError: the path, device or data folder does not exist, or the requested sandbox does not work.
        StaffError: rubric and checks contradict each other, or pytest could not run them.
    """
    began = time.perf_counter()
    keep_freed_memory()
    device, device_name = choose_device(options.device)
    sandbox = choose_launcher(options.sandbox, device)
    setup = Setup(
        assignment=assignment,
        options=options,
        device=device,
        seed=options.draw_seed(),
        launcher=sandbox.launcher,
        starts_ahead=not options.only,
        progress=progress,
    )
    refusal = ""
    try:
        with temporary_folder("submission") as folder:
            let_through(str(folder))
            submission = read_submission(path, folder / "files", assignment.files)
            observations = observe(setup, submission, folder / "files")
    except SubmissionRefused as refused:
        name = printable(path.stem if path.suffix.lower() == ".zip" else path.name, 200)
        submission, observations, refusal = Submission(name, sha256=""), (), str(refused)
    about_data = setup.dataset.note if has_learned(assignment.learns, observations) else ""
    run = Run(
        device=device,
        data=setup.dataset.name,
        sandbox=sandbox.launcher.level,
        seed=setup.seed,
        versions=describe_versions(),
        hardware=describe_hardware(device_name),
        notes=tuple(filter(None, [about_data, sandbox.note])),
    )
    wall_s = round(time.perf_counter() - began, 3)
    evidence = Evidence(submission, run, observations, assignment.name, refusal=refusal, wall_s=wall_s)
    return score(evidence, assignment.rubric)
