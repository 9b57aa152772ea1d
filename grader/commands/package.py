"""`grader package`: what a platform needs to grade an assignment, in one file or folder."""

import argparse
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from grader.assignment import Assignment, load_assignment
from grader.commands import OK, add_shared
from grader.errors import UsageError
from grader.kit.parts import CUDA, HERE, PYTHONS, collect_finals, fetch_wheels, gather
from grader.kit.platforms import PLATFORMS, make_package
from grader.sandbox.levels import LIMITS

_FOR_GRADING = {"wheelhouse": False, "python": HERE, "cuda": "", "sandbox": "auto"}
"""Options with their defaults, for packages that grade."""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's options."""
    parser.description = "Pack what a platform needs to grade an assignment; docs/platforms.md walks through each."
    add = parser.add_argument
    add("platform", choices=sorted(PLATFORMS), help="where the course lives")
    add_shared(
        parser,
        *("assignment", "out", "data", "sandbox"),
        out="it goes to DIR/<platform>/ (default: out)",
        data="folder with MNIST to pack, or `digits` for scikit-learn's (default: data, if MNIST is there)",
        sandbox="what confines submissions there (default: the strongest that works)",
    )
    add("--wheelhouse", action="store_true", help="pack all wheels: the platform needs no network to set up")
    add("--python", choices=PYTHONS, default=HERE, help=f"Python on the platform (default: {HERE}, as here)")
    add("--cuda", choices=CUDA, default="", help="what the driver of the GPU there runs (default: no GPU)")
    add("--final", type=Path, metavar="BATCH", help="show the results of this batch instead of grading its files")
    parser.set_defaults(command=_package)


def _package(options: argparse.Namespace) -> int:
    assignment = load_assignment(options.assignment)
    _expect_possible(options)
    parts = gather(assignment, data=options.data, sandbox=options.sandbox, python=options.python, cuda=options.cuda)
    if options.final is not None:
        parts = replace(parts, finals=_finals(options, assignment))
    out = options.out / options.platform
    try:
        with tempfile.TemporaryDirectory(prefix="grader-wheels-") as temporary:
            if options.wheelhouse:
                sys.stderr.write(f"Fetching the wheels for Python {options.python} …\n")
                fetch_wheels(parts, Path(temporary))
                parts = replace(parts, wheelhouse=Path(temporary))
            made = make_package(options.platform, parts, out)
    except OSError as error:
        raise UsageError(
            f"the package cannot be written to {out} ({error.strerror}): choose another folder with --out"
        ) from error
    learns = ""
    if assignment.learns and PLATFORMS[options.platform].grades:
        learns = f" The network learns {'MNIST' if parts.data else 'the digits'}."
    sys.stdout.write(f"{made} is the package of {assignment.name} for {options.platform}.{learns}\n")
    sys.stdout.write(f"  {PLATFORMS[options.platform].next_step}\n")
    return OK


def _expect_possible(options: argparse.Namespace) -> None:
    """Refuse what the platform has no use for."""
    made = PLATFORMS[options.platform]
    chosen = [name for name, default in _FOR_GRADING.items() if getattr(options, name) != default]
    if chosen and not made.grades:
        raise UsageError(
            f"{options.platform} grades nothing, and sets itself up over the network: leave out --{chosen[0]}"
        )
    if options.final is not None and not made.shows_finals:
        raise UsageError(
            f"{options.platform} shows no results of a batch: leave out --final, and upload the batch's sheets there"
        )


def _finals(options: argparse.Namespace, assignment: Assignment) -> Mapping[str, bytes]:
    if options.sandbox == LIMITS:
        raise UsageError(
            f"--final needs a sandbox: with --sandbox={LIMITS}, one student's code can read everybody's results"
        )
    finals, left_out = collect_finals(options.final, assignment)
    sys.stdout.write("".join(f"{line}\n" for line in left_out))
    return finals
