"""`grader doctor`: what this machine has for grading, what it lacks, and what would help."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from grader.commands import BELOW, OK
from grader.sandbox import doctor


def add(commands: Any) -> None:
    """Add the subcommand."""
    parser = commands.add_parser("doctor", help="what this machine has and lacks", description="Examine this machine.")
    parser.add_argument("--data", type=Path, default=Path("data"), metavar="DIR", help="folder with MNIST")
    parser.set_defaults(command=_doctor)


def _doctor(options: argparse.Namespace) -> int:
    items = doctor.examine(options.data)
    sys.stdout.write(doctor.render(items))
    return OK if doctor.is_able(items) else BELOW
