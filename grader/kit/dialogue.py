"""Prints for students each check as soon as it is decided, with the next step; again whenever a file is saved.

The output is in sentences for screen readers, or in colours. Findings may contain text from student code, so all texts
pass through `printable`. A saved file is detected by its size and time of change, which works on every system and disk.
"""

import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from grader.errors import SubmissionRefused, UsageError
from grader.kit.prediction import add_to_history, history_line, predict, predict_parts, write_page
from grader.kit.selfcheck import CheckOptions, SelfCheck
from grader.kit.settings import Caller, KitSettings, print_lines
from grader.model import Finding, Outcome, Report, Result, printable
from grader.reports.story import OutcomeStyle, first_step, labelled, place_of, points_text, style_of


def talk(settings: KitSettings, options: CheckOptions, *, plain: bool, watch: bool, caller: Caller) -> bool:
    """Check and print; with `watch`, check saved files again until Ctrl-C. Return whether no automatic point is lost.

    `plain` means whole sentences without symbols, columns or colours; `caller` has the words for advice that names
    commands. Raises as `SelfCheck.run`, but `UsageError` if the folder has no file to check.
    """
    takes_colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    style = Style(plain=plain, colour=not plain and takes_colour)
    above: dict[Finding, str] = {}

    def begin(check: str) -> None:  # a call that does not end is waited for
        if style.colour:
            sys.stdout.write(f"… {check}\r")
            sys.stdout.flush()

    def announce(result: Result, remembered: bool) -> None:
        if style.colour:
            sys.stdout.write("\033[K")
        print_lines(check_lines(result, style, above, remembered=remembered))

    checking, files = SelfCheck(settings, options, announce, begin), settings.assignment.files
    before = take_stamps(options.folder, files)  # a file that is saved during the first run is checked again after it
    report = _run(checking, None)
    print_lines([*closing_lines(report, style, caller.alone), *_keep(report, options, caller)])
    if watch:
        print_lines(["", f"Watching {', '.join(files)}: save one to check it again, press Ctrl-C to end."])
        with suppress(KeyboardInterrupt):  # Ctrl-C is the normal way to end
            for changed in watch_files(options.folder, files, before):
                print_lines(["", f"{', '.join(changed)} was saved."])
                above.clear()
                report = _run(checking, changed)
                print_lines([*closing_lines(report, style, caller.alone), *_keep(report, options, caller)])
    prediction = predict(report)
    return prediction.high == prediction.automatic


def predict_quietly(settings: KitSettings, options: CheckOptions, caller: Caller) -> Iterator[str]:
    """Check, and yield the predicted score, the next step, and the path of the report; arguments as in `talk`.

    Raises:
        UsageError: the folder or the data cannot be read.
        StaffError: the kit itself is broken.
    """
    report = _run(SelfCheck(settings, options), None)
    yield f"Predicted: {predict(report).sentence}."
    yield from next_lines(report, caller.alone)
    yield from _keep(report, options, caller)


def _keep(report: Report, options: CheckOptions, caller: Caller) -> Iterator[str]:
    """Write the page and, if all checks were chosen, the history; yield a sentence about each."""
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


_ID_WIDTH, _WORD_WIDTH = 24, 15
_LABEL_WIDTH = len("expected: ")
_COLOURS = {"passed": "32", "failed": "1;31", "warning": "33", "skipped": "2", "error": "1;35"}
_UNWRITTEN = " raised NotImplementedError"
FLAGGED = "note: a TA will look at this, no point is lost: "  # begins the line of a flag
_MOST_REMARKS = 3
_MOST_COUNTS = 12
_TO_WRITE = OutcomeStyle("skipped", "to write", "○")


@dataclass(frozen=True, slots=True)
class Style:
    """How to print. `plain` means whole sentences without symbols and columns."""

    plain: bool = False
    colour: bool = False


def check_lines(
    result: Result, style: Style, above: MutableMapping[Finding, str] | None = None, *, remembered: bool = False
) -> Iterator[str]:
    """Yield the lines about one check: the outcome and, unless it passed, the reason and the next step.

    `above` maps findings that are printed already -> their check. They are not printed twice; a new finding is added.
    """
    shown = _TO_WRITE if is_unwritten(result.finding) else style_of(result)
    points = points_text(result)
    memory = " (as last time: the code is the same)" if remembered else ""
    if style.plain:
        worth = f", {points} points" if result.criterion.points else ""
        yield f"{result.criterion.id}: {shown.word}{worth}{memory}."
    else:
        word = f"{shown.icon} {shown.word:<{_WORD_WIDTH - 2}}"
        if style.colour and shown.kind in _COLOURS:
            word = f"\033[{_COLOURS[shown.kind]}m{word}\033[0m"
        yield f"{word}{result.criterion.id:<{_ID_WIDTH}}{points:>14}{memory}".rstrip()
    indent = "" if style.plain else "    "
    yield from (indent + line for line in (*_why(result, {} if above is None else above), *_remarks(result)))


def _why(result: Result, above: MutableMapping[Finding, str]) -> Iterator[str]:
    if result.finding is None or result.outcome is Outcome.PASSED:
        return
    if is_unwritten(result.finding):
        if result.criterion.points:
            yield printable(result.finding.message.split(_UNWRITTEN, 1)[1]).lstrip(": ")
        return
    if result.outcome is Outcome.SKIPPED:
        yield printable(result.finding.message)
        return
    if result.finding in above:
        yield f"The same as {above[result.finding]} above."
        return
    above[result.finding] = result.criterion.id
    yield from finding_lines(result.finding)


def finding_lines(finding: Finding) -> Iterator[str]:
    """Yield the parts of a finding, each with its label and on its own line."""
    for label, text in labelled(finding):
        aligned = label and label.ljust(_LABEL_WIDTH)
        rows = printable(text).strip().splitlines()
        yield from ((aligned if number == 0 else " " * len(aligned)) + row for number, row in enumerate(rows))


def _remarks(result: Result) -> Iterator[str]:
    for remark in result.observation.remarks[:_MOST_REMARKS]:
        yield f"note: {' '.join(filter(None, map(printable, (remark.message, remark.got, remark.hint))))}"
    for sentence in result.observation.facts.get("counted_not_timed", ())[:_MOST_COUNTS]:
        yield f"note: {printable(str(sentence))}."
    for flag in result.observation.flags[:_MOST_REMARKS]:
        yield f"{FLAGGED}{printable(flag)}"


def is_unwritten(finding: Finding | None) -> bool:
    """Return whether the function raised the template's own exception, so that it is not written yet."""
    return finding is not None and _UNWRITTEN in finding.message


def closing_lines(report: Report, style: Style, alone: str) -> Iterator[str]:
    """Yield the predicted score, in total and per part, the next step, and the notes of the run."""
    yield ""
    yield f"Predicted: {predict(report).sentence}."
    rows = predict_parts(report)
    width = max(map(len, rows)) + 2
    yield from (f"{name}: {text}." if style.plain else f"  {name:<{width}}{text}" for name, text in rows.items())
    yield from next_lines(report, alone)
    yield from (printable(note) for note in report.evidence.run.notes)


def next_lines(report: Report, alone: str) -> Iterator[str]:
    """Yield the first step to do, and the command that runs this check alone."""
    step = first_step(report)
    if step is None:
        return
    unwritten = [result for result in report.results if is_unwritten(result.finding) and result.criterion.points]
    if unwritten and step is unwritten[0]:
        count = f"{len(unwritten)} checks wait" if len(unwritten) > 1 else "1 check waits"
        yield f"{count} for functions that are not written yet."
    yield f"Next: {place_of(step, report)}. To see it alone: {alone}{step.criterion.id}"


Stamp = tuple[int, int]
_EVERY_S = 0.3


def take_stamps(folder: Path, names: Sequence[str]) -> dict[str, Stamp]:
    """Return file name -> its time of change in ns and its size in bytes, for those of `names` that are in `folder`."""
    stamps: dict[str, Stamp] = {}
    for name in names:
        try:
            status = (folder / name).stat()
        except OSError:
            continue
        stamps[name] = (status.st_mtime_ns, status.st_size)
    return stamps


def watch_files(
    folder: Path, names: Sequence[str], before: Mapping[str, Stamp], every_s: float = _EVERY_S
) -> Iterator[tuple[str, ...]]:
    """Yield, forever, the names of files that were saved, made or removed since `before`, when changes have stopped.

    A change while the caller works is in the next yield.
    """
    while True:
        time.sleep(every_s)
        now, last = take_stamps(folder, names), before
        while now != last:  # an editor may write in several steps
            time.sleep(every_s)
            now, last = take_stamps(folder, names), now
        changed = tuple(name for name in names if before.get(name) != now.get(name))
        before = now
        if changed:
            yield changed
