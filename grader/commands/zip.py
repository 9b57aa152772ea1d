"""`grader zip`: the zip to hand in, made of exactly the right files and tried as the grader would."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from grader.assignment import DEFAULT, load_assignment
from grader.commands import OK
from grader.kit.contact import expect_folder
from grader.kit.handin import make_handin


def add(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's options."""
    parser.description = "Make the zip to hand in."
    parser.add_argument("folder", nargs="?", type=Path, default=Path(), help="the folder with your files")
    parser.add_argument("--assignment", default=DEFAULT, metavar="NAME", help=argparse.SUPPRESS)
    parser.set_defaults(command=_zip)


def _zip(options: argparse.Namespace) -> int:
    assignment = load_assignment(options.assignment)
    expect_folder(options.folder, assignment)
    made = make_handin(options.folder, assignment)
    for name, size_bytes in made.sizes_bytes.items():
        sys.stdout.write(f"  {name:<24}{size_bytes:>10} bytes\n")
    sys.stdout.write(f"{made.path} is ready to hand in: the grader takes it without a warning.\n")
    sys.stdout.write(f"Keep its fingerprint: sha256 {made.sha256}\n")
    return OK
