"""`grader inside`: one upload, graded in a platform's container; what its package's start script calls."""

import argparse
from collections.abc import Callable

from grader.commands import OK
from grader.kit.inside import autolab, github, gradescope, prairielearn

RUNS: dict[str, Callable[[], None]] = {
    "autolab": autolab.run,
    "github": github.run,
    "gradescope": gradescope.run,
    "prairielearn": prairielearn.run,
}
"""Platform -> what grades an upload where that platform lays it."""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's options."""
    parser.description = "Grade one upload in a platform's container, as the package that `grader package` made says."
    parser.add_argument("platform", choices=sorted(RUNS), help="whose container this is")
    parser.set_defaults(command=_inside)


def _inside(options: argparse.Namespace) -> int:
    RUNS[options.platform]()
    return OK
