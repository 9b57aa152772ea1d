"""`grader check`: the checks on one's own folder, a line as soon as each is decided, and the predicted score."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from grader.assignment import load_assignment
from grader.commands import BELOW, OK
from grader.errors import SubmissionRefused, UsageError
from grader.kit.contact import expect_checkable
from grader.kit.lines import Style, check_lines, closing_lines
from grader.kit.prediction import predict
from grader.kit.selfcheck import Announcement, SelfCheck, Wish
from grader.kit.sheet import load_sheet
from grader.kit.watching import watch_files
from grader.machine import DEVICES
from grader.model import Report, Rubric


def add(commands: Any) -> None:
    """Add the subcommand."""
    parser = commands.add_parser(
        "check", help="check your own folder", description="Check your own folder, and predict its score."
    )
    _add_options(parser)
    parser.set_defaults(command=_check)


def _add_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("folder", nargs="?", type=Path, default=Path(), help="the folder with your files (default: this one)")
    add("--only", action="append", default=[], metavar="ID", help="this check, or all whose id starts so; repeatable")
    add("--watch", action="store_true", help="stay, and check a file again whenever it is saved; Ctrl-C ends it")
    add("--fresh", action="store_true", help="run again what passed the last time, too")
    add("--plain", action="store_true", help="whole sentences without symbols, columns and colours")
    add("--explain", action="store_true", help="look into CUDA kernels for races and memory costs (10 s more)")
    add("--data", type=Path, metavar="DIR", help="folder with MNIST (default: data, in the folder)")
    add("--device", choices=DEVICES, default="auto", help="where kernels run (default: a GPU if one answers)")
    add("--seed", type=int, metavar="N", help="make the inputs repeatable (default: fresh ones)")
    add("--assignment", default="hw1", metavar="NAME", help=argparse.SUPPRESS)


def _check(options: argparse.Namespace) -> int:
    assignment = load_assignment(options.assignment)
    expect_checkable(options.folder, assignment)
    _expect_known(options.only, assignment.rubric)
    wish = Wish(
        options.folder,
        data=options.data or options.folder / "data",
        only=tuple(options.only),
        device=options.device,
        fresh=options.fresh,
        explain=options.explain,
        seed=options.seed,
    )
    style = _style(plain=options.plain)

    def tell(announcement: Announcement) -> None:
        _print(check_lines(announcement, style))

    checking = SelfCheck(load_sheet(assignment), wish, tell)
    report = _run(checking, None)
    _print(closing_lines(report, style, _command(options)))
    for changed in _saved(options.watch, options.folder, assignment.files):
        _print(["", f"{', '.join(changed)} was saved."])
        report = _run(checking, changed)
        _print(closing_lines(report, style, _command(options)))
    prediction = predict(report)
    return OK if prediction.high == prediction.automatic else BELOW


def _run(checking: SelfCheck, files: Iterable[str] | None) -> Report:
    try:
        return checking.run(files)
    except SubmissionRefused as refused:
        raise UsageError(str(refused)) from refused


def _saved(watch: bool, folder: Path, files: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield what is saved until Ctrl-C, which is how one leaves and no failure."""
    if not watch:
        return
    _print(["", f"Watching {', '.join(files)}: save one to check it again, press Ctrl-C to end."])
    try:
        yield from watch_files(folder, files)
    except KeyboardInterrupt:
        _print([""])


def _expect_known(words: list[str], rubric: Rubric) -> None:
    ids = [row.id for row in rubric.criteria]
    for word in words:
        if not any(check == word or check.startswith(f"{word}.") for check in ids):
            msg = f"there is no check {word!r}: the checks are {', '.join(ids)}"
            raise UsageError(msg)


def _style(*, plain: bool) -> Style:
    is_terminal = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Style(plain=plain, colour=is_terminal and not plain)


def _command(options: argparse.Namespace) -> str:
    return str(getattr(options, "called", "grader check"))


def _print(lines: Iterable[str]) -> None:
    """Print at once: over a pipe or ssh, too, each line shows when it is known."""
    try:
        sys.stdout.write("".join(f"{line}\n" for line in lines))
        sys.stdout.flush()
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
