"""`grader appeal`: the same file three times with fresh seeds, side by side."""

from __future__ import annotations

import argparse
import sys

from rich.console import Console

from grader.commands import BELOW, OK, add_shared
from grader.course.grades.appeal import RUNS, find_case, hear
from grader.course.model import Store
from grader.errors import UsageError

_MOST_RUNS = 50


def add(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's options."""
    parser.description = (
        "Grade one hand-in of a batch again, three times with fresh seeds, and write a page that puts "
        "the runs side by side. Grades stay as they are. Exit code 0: all gradings agree. 1: they do not."
    )
    add_shared(parser, "batch")
    parser.add_argument("who", help="a student, the key of a hand-in, or a zip")
    parser.add_argument("--runs", type=int, default=RUNS, metavar="N", help=f"how many times (default: {RUNS})")
    add_shared(parser, "only")
    parser.set_defaults(command=_appeal)


def _appeal(options: argparse.Namespace) -> int:
    if not 1 <= options.runs <= _MOST_RUNS:
        raise UsageError(f"--runs {options.runs}: choose 1 to {_MOST_RUNS}.")
    err = Console(stderr=True)
    case = find_case(Store(options.batch), options.who)
    appeal = hear(
        Store(options.batch), case, options.runs, options.only, lambda text: err.print(f"  {text}", highlight=False)
    )
    sys.stdout.write(f"{appeal.verdict}\nSide by side: {appeal.page}\n")
    return BELOW if appeal.disputed else OK
