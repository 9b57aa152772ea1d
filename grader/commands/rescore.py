"""`grader rescore`: points and sheets once more, from the evidence alone. No student code runs."""

import argparse
import shutil
import sys
from pathlib import Path

from rich.console import Console

from grader.commands import OK, add_shared
from grader.course.grades.late import adopt_deadline, adopt_extensions, adopt_lateness
from grader.course.grades.rescoring import adopt_rubric, copy_truth, find_place, score_place
from grader.course.grades.sheets import Sheets, describe_statuses, new_notes, next_steps, rewrite_reports, write_sheets
from grader.course.grades.tables import PROVISIONAL, set_publishing
from grader.course.model import Store, read_record
from grader.course.people import Roster
from grader.course.platforms import PLATFORMS
from grader.errors import UsageError
from grader.reports.files import write_reports
from grader.reports.terminal import render

_DESCRIPTION = (
    "Score evidence again, with the rubric as it is now or another, and write the reports. Of a batch, also all "
    "sheets: grades.csv, junit.xml, feedback.zip, gradescope.zip, and the platform's. No student code runs."
)


def add(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's options."""
    parser.description = _DESCRIPTION
    add = parser.add_argument
    add("path", type=Path, help="an evidence.json, a report's folder, or a batch")
    add_shared(parser, "rubric", rubric="score with this rubric; a batch keeps it")
    add("--out", type=Path, metavar="DIR", help="write there and leave the old files as they are")
    group = parser.add_argument_group("for a batch, which keeps what is named here")
    add = group.add_argument
    add("--late", type=Path, metavar="FILE", help="late days: a CSV, ODS or XLSX with the columns student and days")
    add("--deadline", default="", metavar="TIME", help="count late days from the platform's times: '2026-01-15 23:59'")
    add("--extensions", type=Path, metavar="FILE", help="who may be later: a table with student, and days or until")
    for platform in (platform for platform in PLATFORMS.values() if platform.table):
        what = f"{platform.title}'s {platform.table}, to be filled: {platform.name}.csv"
        add(f"--{platform.name}", type=Path, metavar="FILE", help=what)
        if platform.has_columns:
            name = f"--{platform.name}-column"
            add(name, default="", metavar="NAME", help="the assignment in it (default: the one with our title)")
    add(
        "--provisional",
        choices=PROVISIONAL,
        default="",
        help="what a platform gets for an open score: nothing (skip, the default) or its lower end (low)",
    )
    parser.set_defaults(command=_rescore)


def _rescore(options: argparse.Namespace) -> int:
    place = find_place(options.path)
    if place.is_batch and place.batch is not None:
        return _rescore_batch(options, place.batch)
    columns = (f"{name}_column" for name in PLATFORMS)
    for name in ("late", "deadline", "extensions", "provisional", *PLATFORMS, *columns):
        if getattr(options, name, None):
            raise UsageError(
                f"--{name.replace('_', '-')} is for a batch, and {options.path} is one report: name the batch."
            )
    if place.batch is not None and options.rubric and not options.out:
        raise UsageError(
            f"{options.path} belongs to the batch {place.batch.root}, whose sheets would not know: name the batch."
        )
    report = score_place(place, options.rubric)
    if options.out is None:
        rewrite_reports(report, place.folder)
    else:
        write_reports(report, options.out)
    out = Console()
    where = (options.out or place.folder) / "report.html"
    sys.stdout.write(render(report, where=str(where), width=out.width, colour=out.is_terminal))
    return OK


def _rescore_batch(options: argparse.Namespace, store: Store) -> int:
    read_record(store.roster, Roster)
    if options.out is None:
        return _write_batch(options, store)
    target = copy_truth(store, options.out)
    try:
        return _write_batch(options, target)
    except BaseException:  # a rubric or table is wrong, or the disk is full: the same command may be given again
        shutil.rmtree(options.out, ignore_errors=True)
        raise


def _write_batch(options: argparse.Namespace, target: Store) -> int:
    if options.rubric:
        adopt_rubric(target, options.rubric)
        sys.stdout.write(f"From now on the rubric of this batch is {target.rubric}, a copy of {options.rubric}.\n")
    if options.late:
        adopt_lateness(target, options.late)
    if options.extensions:
        adopt_extensions(target, options.extensions)
    if options.deadline:
        adopt_deadline(target, options.deadline)
    tables = {name: table for name in PLATFORMS if (table := getattr(options, name, None))}
    columns = {name: column for name in PLATFORMS if (column := getattr(options, f"{name}_column", ""))}
    set_publishing(target, tables, columns, options.provisional)
    sheets = write_sheets(target, all_reports=True)
    sys.stdout.write(describe(target, sheets))
    return OK


def describe(store: Store, sheets: Sheets) -> str:
    """Return what was written, and what is left to do, for a terminal."""
    lines = [
        describe_statuses(sheets.rows),
        *new_notes(store, sheets),
        "Written: " + ", ".join(str(path) for path in sheets.files),
        *next_steps(store, sheets),
    ]
    return "\n".join(lines) + "\n"
