"""`grader bench`: the sheet's time comparisons on several numbers of cores, as table, CSV and charts for the report."""

import argparse
import importlib
import importlib.util
import secrets
import sys
from pathlib import Path
from typing import Any

from grader.assignment import load_assignment
from grader.bench.measure import BENCH_LIMIT_S, CORES, Setting, run_bench, write_bench
from grader.bench.model import load_comparisons
from grader.bench.tables import render
from grader.commands import OK, add_shared
from grader.errors import SubmissionRefused, UsageError
from grader.intake.archive import read_submission
from grader.intake.disk import expect_writable
from grader.machine import choose_device, count_cores
from grader.worker.folders import temporary_folder
from grader.worker.process import Launcher, Limits, PlainLauncher, Settings

_HAS_SANDBOX = importlib.util.find_spec("grader.sandbox") is not None
"""The student kit has no sandbox, because students run only their own code."""


def _add_bench(parser: argparse.ArgumentParser) -> None:
    parser.description = "Measure the sheet's comparisons on several numbers of cores; write a table and charts."
    add_shared(parser, "folder", folder="the folder or zip with the files (default: this folder)")
    cores = "numbers of cores, such as 1,2,4,8 (default: as many as there are)"
    parser.add_argument("--cores", type=_counts, metavar="LIST", help=cores)
    parser.add_argument("--only", default="", metavar="ID", help="only this comparison of the sheet")
    out = {"default": Path("out/bench"), "help": "where files go (default: out/bench)"}
    confined = ["sandbox"] if _HAS_SANDBOX else []
    add_shared(parser, "out", "device", *confined, "assignment", out=out, assignment=argparse.SUPPRESS)


def _bench(options: argparse.Namespace) -> int:
    assignment = load_assignment(options.assignment)
    expect_writable(options.out)
    comparisons = load_comparisons(assignment, options.only)
    cores, notes = choose_counts(options.cores, count_cores())
    device, device_name = choose_device(options.device)
    launcher, note = _choose_launcher(options, device)
    with temporary_folder("bench") as temporary:
        try:
            submission = read_submission(options.folder, temporary / "files", assignment.files)
        except SubmissionRefused as refused:
            raise UsageError(f"{options.folder} cannot be opened: {refused}") from refused
        limits = Limits(grading_s=BENCH_LIMIT_S)
        worker = Settings(temporary / "files", assignment.staff, device, limits, temporary=temporary)
        setting = Setting(worker, submission.missing, launcher, secrets.randbits(32), assignment.baselines)
        bench = run_bench(comparisons, cores, setting, device_name, _show)
    sys.stdout.write("\n" + render(bench))
    for line in filter(None, (*notes, note)):
        sys.stdout.write(f"{line}\n")
    written = write_bench(bench, options.out)
    sys.stdout.write(f"Table: {written[0]}; for your report: {', '.join(str(path) for path in written[1:])}\n")
    return OK


def choose_counts(wanted: tuple[int, ...] | None, there: int) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Return the numbers of cores to measure on, and sentences about numbers that are too large for this machine.

    Raises:
        UsageError: all of them are too large.
    """
    counts = tuple(sorted(set(wanted or CORES)))
    kept = tuple(count for count in counts if count <= there)
    if not kept:
        raise UsageError(f"this machine lets us use {there} core(s), fewer than {counts[0]}: say --cores {there}")
    lacking = ", ".join(str(count) for count in counts if count > there)
    note = f"Not measured on {lacking} cores: this machine lets us use {there}. On the server, ask for more with -c."
    return kept, (note,) if lacking else ()


def _choose_launcher(options: argparse.Namespace, device: str) -> tuple[Launcher, str]:
    """Return the launcher that confines the workers, and a note for the reader."""
    if not _HAS_SANDBOX:
        return PlainLauncher(), ""
    levels: Any = importlib.import_module("grader.sandbox.levels")  # by name, because the kit lacks it
    choice = levels.choose_launcher(options.sandbox, device)
    return choice.launcher, choice.note


def _show(text: str) -> None:
    sys.stderr.write(f"  {text}\n")


def _counts(text: str) -> tuple[int, ...]:
    words = text.split(",")
    if not all(word.isdecimal() and 0 < int(word) <= 1024 for word in words):  # noqa: PLR2004 - more than machines have
        raise argparse.ArgumentTypeError(f"{text!r} is no list of numbers of cores such as 1,2,4,8")
    return tuple(map(int, words))
