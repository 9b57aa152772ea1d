"""`python -m <name>check`: the student's command line, for one assignment. Without a command it checks.

python -m <name>check [FOLDER]   the checks, and the predicted score
python -m <name>check zip        the zip to hand in
python -m <name>check bench      the time comparisons for the report, with charts
python -m <name>check data       fetch MNIST once, verified
python -m <name>check run FILE   a script that uses numba.cuda, without a GPU; --help says what it can show
"""

import argparse
import sys
from collections.abc import Sequence
from importlib.util import find_spec

from grader import __version__
from grader.commands import Parser, add_commands, begin, run_safely
from grader.kit.settings import find_caller

_COMMANDS = ("check", "zip", "data")
_RUN = "run"
_OF_UNIX = ("bench",)
"""Commands that do not work on Windows, where there is no fcntl."""


def main(assignment: str, arguments: Sequence[str] | None = None) -> None:
    """Run the command line of `assignment` and exit with its code."""
    begin()
    sys.exit(run(assignment, sys.argv[1:] if arguments is None else arguments))


def run(assignment: str, arguments: Sequence[str]) -> int:
    """Run the command line of `assignment` and return its exit code."""
    called = f"python -m {assignment}check"
    names = (*_COMMANDS, *(_OF_UNIX if find_spec("fcntl") else ()))
    words = list(arguments)
    if words[:1] == [_RUN]:
        from grader.cuda_cpu.__main__ import main as execute_script  # noqa: PLC0415 - loads Numba, which takes a while

        return execute_script(words[1:])
    if not words or words[0] not in {*names, "-h", "--help", "--version"}:
        words = ["check", *words]
    options = _build_parser(called, names, words).parse_args(words)
    options.assignment = assignment
    options.caller = find_caller(called)
    return run_safely(f"{assignment}check", lambda: int(options.command(options)))


def _build_parser(called: str, names: Sequence[str], words: Sequence[str]) -> argparse.ArgumentParser:
    parser = Parser(
        called,
        description="Checks your homework on your own computer, with the checks of the course.",
        epilog=f"Without a command it checks. The options of that: {called} check --help. "
        f"To run a script that uses numba.cuda without a GPU: {called} {_RUN} --help",
    )
    parser.add_argument("--version", action="version", version=__version__)
    add_commands(parser, names, words)
    return parser
