"""`grader selftest`: everything that has to be true of an assignment before students see it."""

from __future__ import annotations

import argparse
import sys

from grader.assignment import load_assignment
from grader.commands import BELOW, OK, add_shared
from grader.grading import Options
from grader.trial.selftest import run_trials


def add(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's options."""
    parser.description = "Try reference, template, comparisons, mistakes, general cheats and the kit of an assignment."
    add_shared(parser, "assignment", "data", "device")
    parser.set_defaults(command=_selftest)


def _selftest(options: argparse.Namespace) -> int:
    problems = 0
    for trial in run_trials(load_assignment(options.assignment), Options(data=options.data, device=options.device)):
        problems += bool(trial.problem)
        detail = trial.problem or trial.note
        sys.stdout.write(f"{'WRONG' if trial.problem else 'ok   '}  {trial.what}\n")
        sys.stdout.write(f"       {detail}\n" if detail else "")
        sys.stdout.flush()
    sys.stdout.write(f"{problems} of the trials went wrong.\n" if problems else "Everything is as it has to be.\n")
    return BELOW if problems else OK
