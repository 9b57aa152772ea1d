"""`grader doctor`: what this machine has for grading, what it lacks, and what would help."""

import argparse
import sys
from pathlib import Path

from grader.assignment import load_assignment
from grader.commands import BELOW, OK, add_shared
from grader.sandbox import doctor


def add(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's options."""
    parser.description = "Examine this machine."
    add_shared(parser, "data")
    parser.add_argument(
        "--package", type=Path, metavar="DIR", help="an unpacked package: only what grading with it uses"
    )
    parser.set_defaults(command=_doctor)


def _doctor(options: argparse.Namespace) -> int:
    if options.package is None:
        items = doctor.examine(options.data)
    else:
        from grader.kit.inside import find_data, read_settings  # noqa: PLC0415 - loads all that grades

        assignment = load_assignment(read_settings(options.package).assignment)
        items = doctor.examine_package(find_data(options.package), learns=bool(assignment.learns))
    sys.stdout.write(doctor.render(items))
    return OK if doctor.is_able(items) else BELOW
