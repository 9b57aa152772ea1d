"""`grader grade`: grades one submission, writes its reports and prints the score."""

import argparse
import sys
from pathlib import Path

from rich.console import Console
from threadpoolctl import threadpool_limits

from grader.assignment import load_assignment
from grader.commands import BELOW, OK, USAGE, add_shared
from grader.errors import GraderError
from grader.intake.disk import expect_writable
from grader.model import Submission, printable
from grader.reports.files import EVIDENCE_FILE, decode, write_reports
from grader.reports.terminal import render
from grader.sandbox.levels import begin_trial
from grader.scoring.rubric import expect_named


def _add_grade(parser: argparse.ArgumentParser) -> None:
    parser.description = "Grade one submission."
    parser.add_argument("submission", type=Path, help="the zip, or a folder with its files")
    add_shared(
        parser,
        *("assignment", "only", "out", "data", "seed", "device", "sandbox", "explain", "rubric"),
        only="run this check, or all whose id starts so; repeatable",
        out="reports go to DIR/<submission>/ (default: out)",
        explain="look into CUDA kernels for races and memory costs (10 s more, CPU only)",
    )
    parser.add_argument("--fail-under", type=float, metavar="POINTS", help="exit with 1 if the score is lower")


def _grade(options: argparse.Namespace) -> int:
    begin_trial(options.sandbox, options.device)
    from grader.grading import Options, grade  # noqa: PLC0415 - pytest is imported while the sandbox is tried

    assignment = load_assignment(options.assignment, options.rubric)
    expect_named(options.only, assignment.rubric)
    path = options.submission
    name = printable(path.stem if path.suffix.lower() == ".zip" else path.absolute().name, 200)
    expect_writable(options.out / _folder_name(name))
    how = Options(
        data=options.data,
        seed=options.seed,
        device=options.device,
        sandbox=options.sandbox,
        only=tuple(options.only),
        explain=options.explain,
    )
    err = Console(stderr=True)
    # The grader's own matrices are small: threads for them would spin on the cores that the submission needs.
    with threadpool_limits(1), err.status(f"Grading {options.submission.name}") as status:
        report = grade(options.submission, assignment, how, lambda text: _show(err, status, text))
    folder = _choose_folder(options.out, report.evidence.submission, err, is_file=options.submission.is_file())
    written = write_reports(report, folder)
    out = Console()
    sys.stdout.write(render(report, where=str(written[0]), width=out.width, colour=out.is_terminal))
    if report.evidence.refusal:
        return USAGE
    return BELOW if options.fail_under is not None and report.score_low < options.fail_under else OK


def _choose_folder(out: Path, submission: Submission, err: Console, *, is_file: bool) -> Path:
    """Return the folder for the reports: another one if the usual folder has reports on another file of this name."""
    name = _folder_name(submission.name)
    folder = out / name
    if not is_file or _read_sha256(folder) in {None, submission.sha256}:
        return folder
    other = out / f"{name}-{submission.sha256[:8] or 'unopened'}"
    note = f"{folder} holds the report on another file called {name}, and keeps it."
    err.print(note, highlight=False, soft_wrap=True)
    return other


def _read_sha256(folder: Path) -> str | None:
    """Return the digest of the submission of the reports in `folder`; None if there are no reports."""
    try:
        return decode((folder / EVIDENCE_FILE).read_bytes()).submission.sha256
    except (OSError, GraderError):
        return None


def _folder_name(submission: str) -> str:
    """Return the folder's name for a submission's reports; a file called `...zip` must not give the parent folder."""
    return submission if submission.strip(". ") else "submission"


def _show(err: Console, status: object, text: str) -> None:
    if err.is_terminal:
        status.update(f"Grading: {text}")  # type: ignore[attr-defined] # rich's Status, whose module is private
    else:
        err.print(f"  {text}", highlight=False)
