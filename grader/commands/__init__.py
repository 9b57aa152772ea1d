"""The subcommands: `_add_<command>` adds a command's options to a parser, `_<command>` runs it, found by these names.

Large commands have their own module; small commands share modules. This file has the shared parts: exit codes, shared
options, and the handling of errors. A module is imported only if its command was typed, because some need libraries
that take half a second to import.
"""

import argparse
import importlib
import io
import os
import re
import signal
import sys
import traceback
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from grader import __version__
from grader.errors import GraderError, UsageError, describe_shortage

OK, BELOW, USAGE, OURS, STOPPED = 0, 1, 2, 3, 130
"""Exit codes: success; a score below --fail-under, or another negative answer; wrong usage or a refused file; an error
of the grader; stopped by Ctrl-C, as shells report it: 128 plus the signal's number."""

HELP = {
    "grade": "grade one zip or folder",
    "bench": "the time comparisons for your report",
    "batch": "grade a folder of submissions, or what Moodle, Canvas or Gradescope gave you",
    "rescore": "score evidence again, without running anything",
    "merge": "join a platform's provisional results with a batch graded on a GPU",
    "verify": "whether reports say what the evidence gives",
    "diff": "what changed between two batches or reports, and why",
    "mark": "give points that only a person can give",
    "appeal": "grade one hand-in three times with fresh seeds, side by side",
    "mail": "one text for each student, from a template; nothing is sent",
    "review": "read reports and give points in the browser",
    "similarity": "pairs of a batch that are alike in structure, side by side",
    "doctor": "what this machine has and lacks",
    "data": "fetch MNIST once, verified",
    "check": "check your own folder",
    "zip": "make the zip to hand in",
    "handout": "pack what students get",
    "package": "pack what a platform needs to grade",
    "inside": "grade one upload in a platform's container",
    "new": "write a small assignment to begin with",
    "selftest": "try all that an assignment is made of",
}
"""Command -> its line of help."""
_SHARED_MODULES = {
    "afterwards": ("diff", "mail", "merge", "rescore", "similarity", "verify"),
    "authors": ("doctor", "handout", "new", "package", "selftest"),
    "batch": ("appeal", "batch"),
    "own": ("check", "data", "inside", "zip"),
    "review": ("mark", "review"),
}
"""Module -> its commands."""


class Parser(argparse.ArgumentParser):
    """A parser that reports an error in one line, without the list of all options; `-2,5` is a number, no option."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._negative_number_matcher = re.compile(r"-\d*[.,]?\d+$")

    def error(self, message: str) -> NoReturn:
        """Print `message` and how to get help, and exit with `USAGE`."""
        self.exit(USAGE, f"{self.prog}: {message} (see `{self.prog} --help`)\n")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Return the options; a subcommand's own parser refuses its unknown options, not the main parser."""
        options, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"there is no option or place for {unknown[0]!r}")
        return options, unknown


def make_parser(called: str, names: Iterable[str], words: Sequence[str], **about: str) -> Parser:
    """Return a parser with subcommands; only the one that the arguments `words` begin with gets its options."""
    parser = Parser(called, **about)
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name in names:
        added = commands.add_parser(name, help=HELP[name])
        if words[:1] == [name]:
            add_options(name, added)
    return parser


def add_options(name: str, parser: argparse.ArgumentParser) -> None:
    """Add a command's options to its parser, and set `command` to the function that returns the exit code."""
    shared = next((module for module, commands in _SHARED_MODULES.items() if name in commands), name)
    module = importlib.import_module(f"grader.commands.{shared}")
    getattr(module, f"_add_{name}")(parser)
    parser.set_defaults(command=getattr(module, f"_{name}"))


def natural(text: str) -> int:
    """Return `text` as a number; if it is not a whole number of 0 or more, argparse refuses it."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of 0 or more")
    return int(text)


def begin() -> None:
    """Prepare this process for a command line: file names in any script, and SIGTERM that works like Ctrl-C.

    If the locale's encoding is ASCII, Python cannot print or pass on other file names: the program is then started
    again, once, with UTF-8.
    """
    if not (sys.flags.utf8_mode or sys.getfilesystemencoding().startswith("utf")):
        os.environ["PYTHONUTF8"] = "1"  # for its child processes
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])  # noqa: S606 - this very program
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without UTF-8 gets a ? instead of a crash
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, signal.default_int_handler)


def add_shared(parser: argparse.ArgumentParser, *names: str, **changes: Any) -> None:
    """Add the shared options and positional arguments with these names.

    `changes` maps a name to another help text, or to settings of argparse that differ for this command.
    """
    shared = _shared()
    for name in names:
        change = changes.get(name, {})
        settings = shared[name] | (change if isinstance(change, dict) else {"help": change})
        parser.add_argument(name if name in _PLACES else f"--{name}", **settings)


_PLACES = {"batch", "folder"}  # shared arguments that are positional


def _shared() -> dict[str, dict[str, Any]]:
    """Return name of an option -> its settings for argparse."""
    from grader.assignment import DEFAULT  # noqa: PLC0415 - not every start of the program needs it
    from grader.machine import DEVICES  # noqa: PLC0415 - the same

    ids = {"action": "append", "default": [], "metavar": "ID"}
    return {
        "assignment": {"default": DEFAULT, "metavar": "NAME", "help": f"which assignment (default: {DEFAULT})"},
        "batch": {"type": Path, "help": "the folder of a batch"},
        "by": {"default": "", "metavar": "NAME", "help": "who gives the marks (default: the user's name)"},
        "data": {
            "type": _data_folder,
            "default": Path("data"),
            "metavar": "DIR",
            "help": "folder with MNIST, or `digits` for scikit-learn's (default: data, if MNIST is there)",
        },
        "device": {"choices": DEVICES, "default": "auto", "help": "where kernels run (default: a GPU if one answers)"},
        "explain": {"action": "store_true", "help": "look into CUDA kernels for races and memory costs (10 s more)"},
        "folder": {
            "nargs": "?",
            "type": Path,
            "default": Path(),
            "help": "the folder with your files (default: this one)",
        },
        "only": {**ids, "help": "only this check, or all whose id starts so; repeatable"},
        "out": {"type": Path, "default": Path("out"), "metavar": "DIR", "help": "where it goes (default: out)"},
        "plain": {"action": "store_true", "help": "plain lines, without symbols, columns and colours"},
        "rubric": {"type": Path, "metavar": "FILE", "help": "score with this rubric instead of the assignment's"},
        "sandbox": {
            "choices": SANDBOXES,
            "default": "auto",
            "help": "what confines submissions (default: the strongest)",
        },
        "seed": {"type": natural, "metavar": "N", "help": "make hidden inputs repeatable (default: fresh ones)"},
        "template": {
            "type": Path,
            "metavar": "DIR",
            "help": "the handed-out files (default: the assignment's template)",
        },
    }


SANDBOXES = ("auto", "full", "landlock", "limits")
"""Values of --sandbox: a copy of `grader.sandbox.levels.WANTED`, because a student's kit does not have that module."""


def _data_folder(text: str) -> Path | None:
    """Return the folder that `text` names, None for the digits; argparse refuses a folder without MNIST."""
    from grader.intake.datasets import DIGITS, mnist_files  # noqa: PLC0415 - NumPy is not needed by most commands

    folder = Path(text)
    if text == DIGITS:
        return None
    if not folder.is_dir():
        raise argparse.ArgumentTypeError(
            f"there is no folder {text!r}: correct it, or leave it out for data/ or {DIGITS}"
        )
    if not mnist_files(folder):
        raise argparse.ArgumentTypeError(
            f"the folder {text!r} does not hold MNIST: name another, or put it there with `make data DATA=...`"
        )
    return folder


def run_safely(name: str, command: Callable[[], int]) -> int:
    """Return what `command` returns; if it raises, write `name` and the error to stderr, and return its exit code."""
    try:
        return command()
    except UsageError as error:
        return _complain(name, str(error), USAGE)
    except GraderError as error:
        return _complain(name, str(error), OURS)
    except KeyboardInterrupt:
        return _complain(name, "stopped before it was finished", STOPPED)
    except Exception as error:  # noqa: BLE001 - the command line's main: any other error is the grader's fault
        if shortage := describe_shortage(error):
            return _complain(name, shortage, OURS)
        return _complain(name, f"a fault of the grader itself, please report it:\n{traceback.format_exc()}", OURS)


def _complain(name: str, text: str, code: int) -> int:
    sys.stderr.write(f"{name}: {text}\n")
    return code
