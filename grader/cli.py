"""The command line: a table of contents. Results go to stdout, progress to stderr.

    grader grade SUBMISSION     grade one zip or folder, write its reports, print the score
    grader batch SOURCE         grade a folder of submissions, or a learning platform's archive, into a grade sheet
    grader rescore PATH         score a report or a batch again with another rubric, without running anything
    grader merge BATCH RESULTS  a platform's provisional results and a batch graded on a GPU, as the final batch
    grader verify PATH          whether reports and sheets say what the evidence gives
    grader diff OLD NEW         what changed between two batches or reports, and why
    grader appeal BATCH WHO     one hand-in three times with fresh seeds, side by side
    grader mark BATCH ...       points that a TA gives, one by one or from a table
    grader mail BATCH TEMPLATE  one text for each student as a file for a mail program; nothing is sent
    grader review BATCH         read reports and give points in the browser, on this machine only
    grader similarity BATCH     pairs that are alike in structure, side by side; never a verdict
    grader bench [SUBMISSION]   the sheet's time comparisons on 1, 2, 4 and 8 cores, with charts
    grader doctor               what this machine has for grading, what it lacks, and what would help
    grader data                 fetch MNIST once, verified
    grader check [FOLDER]       what students run: the checks on one's own folder, and the predicted score
    grader zip [FOLDER]         what students run: make the zip to hand in
    grader handout              what students get: their files and the checks, without anything of the staff's
    grader package PLATFORM     what a platform such as Gradescope needs to grade an assignment
    grader inside PLATFORM      one upload, in that platform's container; what the package's start script calls
    grader new NAME             a small assignment to begin with
    grader selftest             whether reference, template, mistakes, cheats and kit of an assignment are right

The subcommands are in `grader.commands`.
Exit codes: 0 a report exists, 1 the score is below --fail-under, 2 wrong usage or a refused file, 3 our own error,
130 stopped by Ctrl-C or SIGTERM.
"""

import argparse
import sys
from collections.abc import Sequence

from grader import __version__
from grader.commands import HELP, Parser, add_commands, begin, run_safely


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    begin()
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: Sequence[str]) -> int:
    """Run the command line and return its exit code."""
    options = _build_parser(list(arguments)).parse_args(arguments)
    return run_safely("grader", lambda: int(options.command(options)))


def _build_parser(words: Sequence[str]) -> argparse.ArgumentParser:
    parser = Parser("grader", description="Grades GPU-programming homework: one zip in, one report out.")
    parser.add_argument("--version", action="version", version=__version__)
    add_commands(parser, HELP, words)
    return parser
