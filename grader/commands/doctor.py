"""`grader doctor`: what this machine has for grading, what it lacks, and what would help."""

from __future__ import annotations

import argparse
import sys

from grader.commands import BELOW, OK, add_data
from grader.sandbox import doctor


def add(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's options."""
    parser.description = "Examine this machine."
    add_data(parser, "folder with MNIST")
    parser.set_defaults(command=_doctor)


def _doctor(options: argparse.Namespace) -> int:
    items = doctor.examine(options.data)
    sys.stdout.write(doctor.render(items))
    return OK if doctor.is_able(items) else BELOW
