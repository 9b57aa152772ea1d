"""The command line: subcommands and exit codes are in `grader.commands`. Results go to stdout, progress to stderr."""

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
