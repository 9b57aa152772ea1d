"""`grader new`: an assignment to begin with, which grades from the first minute."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from grader.assignment import OUTSIDE, outside_folder
from grader.commands import OK
from grader.trial.scaffold import KINDS, make_scaffold


def add(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's options."""
    parser.description = "Write a small assignment, to be changed file by file; docs/assignment.md says how."
    parser.add_argument("name", help="lower-case letters and digits, such as axpy")
    parser.add_argument("--kind", choices=KINDS, default=KINDS[0], help="what students write (default: %(default)s)")
    parser.add_argument(
        "--into", type=Path, metavar="DIR", help=f"the folder of assignments (default: {OUTSIDE}, or courses)"
    )
    parser.set_defaults(command=_new)


def _new(options: argparse.Namespace) -> int:
    folder = options.into or outside_folder() or Path("courses")
    for path in make_scaffold(options.name, folder, options.kind):
        sys.stdout.write(f"  {path}\n")
    sys.stdout.write(
        f"These grade as they are: make selftest ASSIGNMENTS={folder} ASSIGNMENT={options.name}\n"
        "Change one after the other; docs/assignment.md says what each is for.\n"
    )
    return OK
