"""Runs the checks and prints each as soon as it is decided; stays and watches, if asked to."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime

from grader.errors import SubmissionRefused, UsageError
from grader.kit.caller import Caller
from grader.kit.lines import Style, check_lines, closing_lines, next_lines
from grader.kit.prediction import predict
from grader.kit.records import add_to_history, history_line, write_page
from grader.kit.selfcheck import Announcement, CheckOptions, SelfCheck
from grader.kit.settings import KitSettings
from grader.kit.watching import take_stamps, watch_files
from grader.model import Finding, Report


def talk(settings: KitSettings, options: CheckOptions, *, plain: bool, watch: bool, caller: Caller) -> bool:
    """Check, print, and watch until Ctrl-C if `watch`; return whether no automatic point is lost.

    Args:
        settings: What to hold the folder against.
        options: Which folder, and how.
        plain: Whole sentences, no symbols, columns or colours.
        watch: Whether to stay.
        caller: How the student calls the kit, for advice.

    Raises:
        UsageError: the folder or the data cannot be read.
        StaffError: the kit itself is broken.
    """
    style = Style(plain=plain, colour=not plain and _takes_colour())

    told: dict[Finding, str] = {}

    def announce(announcement: Announcement) -> None:
        print_lines(check_lines(announcement, style, told))

    checking = SelfCheck(settings, options, announce)
    files = settings.assignment.files
    before = take_stamps(options.folder, files)  # what is saved during the first run counts as saved after it
    report = _run(checking, None)
    print_lines(closing_lines(report, style, caller.alone))
    print_lines(_keep(report, options, caller))
    if watch:
        print_lines(["", f"Watching {', '.join(files)}: save one to check it again, press Ctrl-C to end."])
        with suppress(KeyboardInterrupt):  # how one leaves, and no failure
            for changed in watch_files(options.folder, files, before):
                print_lines(["", f"{', '.join(changed)} was saved."])
                told.clear()
                report = _run(checking, changed)
                print_lines(closing_lines(report, style, caller.alone))
                print_lines(_keep(report, options, caller))
    prediction = predict(report)
    return prediction.high == prediction.automatic


def predict_quietly(settings: KitSettings, options: CheckOptions, caller: Caller) -> Iterator[str]:
    """Check, and yield the predicted score, what to do next, and where the report lies; arguments as of `talk`.

    Raises:
        UsageError: the folder or the data cannot be read.
        StaffError: the kit itself is broken.
    """
    report = _run(SelfCheck(settings, options), None)
    yield f"Predicted: {predict(report).sentence}."
    yield from next_lines(report, caller.alone)
    yield from _keep(report, options, caller)


def _keep(report: Report, options: CheckOptions, caller: Caller) -> Iterator[str]:
    """Write the page, and the history after a check of all; yield what to say of both."""
    now = datetime.now()  # noqa: DTZ005 - the student's own clock
    if not options.grading.only and (line := history_line(add_to_history(predict(report), options.folder, now))):
        yield line
    if page := write_page(report, options.folder):
        yield caller.page.format(page=page)


def _run(checking: SelfCheck, files: Iterable[str] | None) -> Report:
    try:
        return checking.run(files)
    except SubmissionRefused as refused:
        raise UsageError(str(refused)) from refused


def _takes_colour() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def print_lines(lines: Iterable[str]) -> None:
    """Print at once: over a pipe or ssh, too, each line shows when it is known."""
    try:
        sys.stdout.write("".join(f"{line}\n" for line in lines))
        sys.stdout.flush()
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
