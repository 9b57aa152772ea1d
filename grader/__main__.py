"""The command line: subcommands and exit codes are in `grader.commands`. Results go to stdout, progress to stderr."""

import sys
from collections.abc import Sequence

from grader.commands import HELP, begin, make_parser, run_safely


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    begin()
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: Sequence[str]) -> int:
    """Run the command line and return its exit code."""
    about = "Grades GPU-programming homework: one zip in, one report out."
    options = make_parser("grader", HELP, list(arguments), description=about).parse_args(arguments)
    return run_safely("grader", lambda: int(options.command(options)))


if __name__ == "__main__":
    main()
