"""`grader handout`: what students get, in one zip."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from grader.assignment import load_assignment
from grader.commands import OK, add_shared
from grader.kit.handout import make_handout
from grader.kit.settings import load_settings
from grader.trial.selftest import reference_files, try_kit


def add(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's options."""
    parser.description = "Pack the template and the student kit into one zip."
    add_shared(
        parser,
        *("assignment", "template", "out"),
        template="the students' files (default: the assignment's template)",
    )
    parser.add_argument("--untried", action="store_true", help="do not check template and reference with the kit first")
    parser.set_defaults(command=_handout)


def _handout(options: argparse.Namespace) -> int:
    settings = load_settings(load_assignment(options.assignment))
    template = options.template or settings.assignment.template
    if not options.untried:
        sys.stderr.write("Trying the kit on template and reference first (half a minute) …\n")
        with tempfile.TemporaryDirectory(prefix="grader-handout-") as temporary:
            made = make_handout(settings, template, Path(temporary))
            try_kit(made, settings.assignment.name, reference_files(settings.assignment))
    made = make_handout(settings, template, options.out)
    for name in made.files:
        sys.stdout.write(f"  {name}\n")
    size_kb = made.path.stat().st_size / 1000
    sys.stdout.write(f"{made.path} is what students get: {size_kb:.0f} kB, the wheel in it {made.wheel.name}.\n")
    return OK
