"""`grader check`: the checks on one's own folder, a line as soon as each is decided, and the predicted score."""

from __future__ import annotations

import argparse

from grader.assignment import load_assignment
from grader.commands import BELOW, OK, add_shared
from grader.kit.settings import BY_STAFF, expect_checkable, load_settings
from grader.scoring.rubric import expect_named


def add(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's options."""
    parser.description = "Check your own folder, and predict its score."
    add_shared(parser, "folder", "only", only="this check, or all whose id starts so; repeatable")
    add = parser.add_argument
    add("--watch", action="store_true", help="stay, and check a file again whenever it is saved; Ctrl-C ends it")
    add("--fresh", action="store_true", help="run again what passed the last time, too")
    add_shared(
        parser,
        *("plain", "explain", "data", "device", "seed", "assignment"),
        plain="whole sentences without symbols, columns and colours",
        data={"default": argparse.SUPPRESS},
        seed="make the inputs repeatable (default: fresh ones)",
        assignment=argparse.SUPPRESS,
    )
    parser.set_defaults(command=_check)


def _check(options: argparse.Namespace) -> int:
    assignment = load_assignment(options.assignment)
    expect_checkable(options.folder, assignment)
    expect_named(options.only, assignment.rubric)
    from grader.authoring import Options  # noqa: PLC0415 - Windows lacks modules of this: it has been told by now
    from grader.kit.dialogue import talk  # noqa: PLC0415 - the same
    from grader.kit.selfcheck import CheckOptions  # noqa: PLC0415 - the same

    caller = getattr(options, "caller", BY_STAFF)
    how = Options(
        data=getattr(options, "data", options.folder / "data"),
        seed=options.seed,
        device=options.device,
        only=tuple(options.only),
        explain=options.explain,
    )
    asked = CheckOptions(options.folder, how, options.fresh, caller.get_mnist)
    is_full = talk(load_settings(assignment), asked, plain=options.plain, watch=options.watch, caller=caller)
    return OK if is_full else BELOW
