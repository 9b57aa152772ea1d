"""The command line: a table of contents. Results go to stdout, progress to stderr.

    grader grade [SUBMISSION]   grade one zip or folder, write its reports, print the score
    grader doctor               what this machine has for grading, what it lacks, and what would help
    grader data                 fetch MNIST once, verified

Exit codes: 0 a report exists, 1 the score is below --fail-under, 2 wrong usage or a refused file, 3 our own error.
"""

from __future__ import annotations

import argparse
import io
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from grader import __version__
from grader.assignment import load_assignment
from grader.datasets import download_mnist
from grader.errors import GraderError, UsageError
from grader.grading import Options, grade
from grader.machine import DEVICES
from grader.reports.files import FORMATS, write_reports
from grader.reports.terminal import render
from grader.sandbox import doctor
from grader.sandbox.levels import WANTED

OK, BELOW, USAGE, OURS = 0, 1, 2, 3


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without UTF-8 gets a ? instead of a crash
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    options = build_parser().parse_args(arguments)
    try:
        return int(options.command(options))
    except UsageError as error:
        return _complain(str(error), USAGE)
    except GraderError as error:
        return _complain(str(error), OURS)
    except KeyboardInterrupt:
        return _complain("stopped; nothing was written", OURS)
    except Exception:  # noqa: BLE001 - the command line's main: whatever it was, it is ours
        return _complain(f"a fault of the grader itself, please report it:\n{traceback.format_exc()}", OURS)


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of all subcommands."""
    parser = argparse.ArgumentParser(
        "grader", description="Grades GPU-programming homework: one zip in, one report out."
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_grade(commands.add_parser("grade", help="grade one zip or folder", description="Grade one submission."))
    examine = commands.add_parser("doctor", help="what this machine has and lacks", description="Examine this machine.")
    examine.add_argument("--data", type=Path, default=Path("data"), metavar="DIR", help="folder with MNIST")
    examine.set_defaults(command=_doctor)
    data = commands.add_parser("data", help="fetch MNIST once, verified", description="Fetch MNIST, verified.")
    data.add_argument("folder", nargs="?", type=Path, default=Path("data"), help="where to put it (default: data)")
    data.set_defaults(command=_data)
    return parser


def _add_grade(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("submission", type=Path, help="the zip, or a folder with its files")
    add("--assignment", default="hw1", metavar="NAME", help="which assignment (default: hw1)")
    add(
        "--only",
        action="append",
        default=[],
        metavar="ID",
        help="run this check, or all whose id starts so; repeatable",
    )
    add("--out", type=Path, default=Path("out"), metavar="DIR", help="reports go to DIR/<submission>/ (default: out)")
    add("--data", type=Path, default=Path("data"), metavar="DIR", help="folder with MNIST (default: data)")
    add("--seed", type=_natural, metavar="N", help="make hidden inputs repeatable (default: fresh ones)")
    add("--device", choices=DEVICES, default="auto", help="where kernels run (default: a GPU if one answers)")
    add(
        "--sandbox",
        choices=WANTED,
        default="auto",
        help="what stands between submissions and this machine (default: the strongest that works)",
    )
    add(
        "--explain", action="store_true", help="look into CUDA kernels for races and memory costs (10 s more, CPU only)"
    )
    add("--rubric", type=Path, metavar="FILE", help="score with this rubric instead of the assignment's")
    add("--fail-under", type=float, metavar="POINTS", help="exit with 1 if the score is lower")
    add("--format", type=_formats, default=tuple(FORMATS), metavar="LIST", help=f"comma-separated: {','.join(FORMATS)}")
    add("--pytest", default="", metavar="ARGS", help="further arguments for pytest, such as --pytest='-k sigmoid -x'")
    parser.set_defaults(command=_grade)


def _grade(options: argparse.Namespace) -> int:
    assignment = load_assignment(options.assignment, options.rubric)
    unknown = [word for word in options.only if not any(_names(word, row.id) for row in assignment.rubric.criteria)]
    if unknown:
        ids = ", ".join(row.id for row in assignment.rubric.criteria)
        msg = f"there is no check {unknown[0]!r}: the checks are {ids}"
        raise UsageError(msg)
    how = Options(
        data=options.data,
        seed=options.seed,
        device=options.device,
        sandbox=options.sandbox,
        only=tuple(options.only),
        explain=options.explain,
        pytest_args=tuple(options.pytest.split()),
    )
    err = Console(stderr=True)
    with err.status(f"Grading {options.submission.name}") as status:
        report = grade(options.submission, assignment, how, lambda text: _show(err, status, text))
    folder = options.out / _folder_name(report.evidence.submission.name)
    written = write_reports(report, folder, options.format)
    out = Console()
    sys.stdout.write(render(report, where=str(written[0]), width=out.width, colour=out.is_terminal))
    if report.evidence.refusal:
        return USAGE
    return BELOW if options.fail_under is not None and report.score_low < options.fail_under else OK


def _folder_name(submission: str) -> str:
    """Return the name of the folder for a submission's reports; a file called `...zip` must not mean the parent."""
    return submission if submission.strip(". ") else "submission"


def _names(word: str, check: str) -> bool:
    return check == word or check.startswith(f"{word}.")


def _show(err: Console, status: object, text: str) -> None:
    if err.is_terminal:
        status.update(f"Grading: {text}")  # type: ignore[attr-defined] # rich's Status, whose module is private
    else:
        err.print(f"  {text}", highlight=False)


def _data(options: argparse.Namespace) -> int:
    with Console(stderr=True).status(f"Fetching MNIST into {options.folder}"):
        fetched = download_mnist(options.folder)
    sys.stdout.write(f"MNIST is in {options.folder} ({len(fetched)} files fetched, all verified).\n")
    return OK


def _doctor(options: argparse.Namespace) -> int:
    items = doctor.examine(options.data)
    sys.stdout.write(doctor.render(items))
    return OK if doctor.is_able(items) else BELOW


def _natural(text: str) -> int:
    if not text.isdecimal():
        msg = f"{text!r} is not a whole number of 0 or more"
        raise argparse.ArgumentTypeError(msg)
    return int(text)


def _formats(text: str) -> tuple[str, ...]:
    names = tuple(filter(None, text.split(",")))
    if not names or (unknown := [name for name in names if name not in FORMATS]):
        msg = f"unknown format {(unknown or [text])[0]!r}: choose from {','.join(FORMATS)}"
        raise argparse.ArgumentTypeError(msg)
    return names


def _complain(text: str, code: int) -> int:
    sys.stderr.write(f"grader: {text}\n")
    return code
