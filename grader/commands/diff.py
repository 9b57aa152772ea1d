"""`grader diff`: what changed between two batches or two reports, and why."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from grader.commands import OK
from grader.course.grades.difference import compare_paths, diff_csv, diff_page, diff_text
from grader.intake.disk import write_atomically


def add(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's options."""
    parser.description = (
        "Say for each student and check what changed, and why: the rubric, the zip, timing, the "
        "environment, the grader's version, a mark, or the seed only. Nothing is run."
    )
    add = parser.add_argument
    add("old", type=Path, help="a batch, a report's folder or an evidence.json")
    add("new", type=Path, help="another of the same kind")
    add("--old-rubric", type=Path, metavar="FILE", help="score the old report with this rubric")
    add("--rubric", type=Path, metavar="FILE", help="score the new report with this rubric")
    add("--html", type=Path, metavar="FILE", help="write a page, too")
    add("--csv", type=Path, metavar="FILE", help="write a CSV, too")
    parser.set_defaults(command=_diff)


def _diff(options: argparse.Namespace) -> int:
    changes = compare_paths(options.old, options.new, (options.old_rubric, options.rubric))
    if options.html:
        write_atomically(options.html, diff_page(changes, options.old, options.new).encode())
    if options.csv:
        write_atomically(options.csv, diff_csv(changes))
    sys.stdout.write(diff_text(changes))
    return OK
