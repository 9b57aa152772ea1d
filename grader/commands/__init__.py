"""The subcommands, one module each: `add` gives its parser its options; the function that it sets returns an exit code.

A module is imported when its command is the one that was typed: some need libraries that take half a second.
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Iterable, Sequence

OK, BELOW, USAGE, OURS = 0, 1, 2, 3
"""Exit codes: a report exists, its score is below --fail-under, wrong usage or a refused file, our own error."""

HELP = {
    "grade": "grade one zip or folder",
    "bench": "the time comparisons for your report",
    "batch": "grade a folder of submissions, or what Moodle, Canvas or Gradescope gave you",
    "rescore": "score evidence again, without running anything",
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
}
"""Command -> a line on it."""


def add_commands(parser: argparse.ArgumentParser, names: Iterable[str], words: Sequence[str]) -> None:
    """Add subcommands to `parser`; only the one that `words`, the command line, begin with gets its options."""
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name in names:
        added = commands.add_parser(name, help=HELP[name])
        if words[:1] == [name]:
            importlib.import_module(f"grader.commands.{name}").add(added)
