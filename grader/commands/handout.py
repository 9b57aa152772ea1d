"""`grader handout`: what students get, in one zip."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from grader.assignment import DEFAULT, load_assignment
from grader.commands import OK
from grader.kit.handout import make_handout
from grader.kit.settings import load_settings


def add(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's options."""
    parser.description = "Pack the template and the student kit into one zip."
    parser.add_argument("--assignment", default=DEFAULT, metavar="NAME", help=f"which assignment (default: {DEFAULT})")
    parser.add_argument(
        "--template", type=Path, metavar="DIR", help="the students' files (default: the assignment's template)"
    )
    parser.add_argument("--out", type=Path, default=Path("out"), metavar="DIR", help="where it goes (default: out)")
    parser.set_defaults(command=_handout)


def _handout(options: argparse.Namespace) -> int:
    settings = load_settings(load_assignment(options.assignment))
    made = make_handout(settings, options.template or settings.assignment.template, options.out)
    for name in made.files:
        sys.stdout.write(f"  {name}\n")
    size_kb = made.path.stat().st_size / 1000
    sys.stdout.write(f"{made.path} is what students get: {size_kb:.0f} kB, the wheel in it {made.wheel.name}.\n")
    return OK
