"""What the kit prints: a line per check and what to do about it; in sentences for screen readers, or in colours.

Texts of findings may hold what student code said, so that all of them pass `clean`.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from dataclasses import dataclass

from grader.kit.prediction import predict, predict_parts
from grader.kit.selfcheck import Announcement
from grader.model import Finding, Outcome, Report, Result
from grader.reports.story import OutcomeStyle, clean, first_step, place_of, points_text, style_of

_ID_WIDTH = 24
_WORD_WIDTH = 15
_COLOURS = {"passed": "32", "failed": "1;31", "warning": "33", "skipped": "2", "error": "1;35"}
_UNWRITTEN = " raised NotImplementedError"
_MOST_REMARKS = 3
_MOST_COUNTS = 12
_TO_WRITE = OutcomeStyle("skipped", "to write", "○")


@dataclass(frozen=True, slots=True)
class Style:
    """How to print. `plain` is whole sentences, no symbols and no columns."""

    plain: bool = False
    colour: bool = False

    def paint(self, text: str, kind: str) -> str:
        """Return `text` in the colour of an outcome, where there are colours."""
        return f"\033[{_COLOURS[kind]}m{text}\033[0m" if self.colour and kind in _COLOURS else text


def check_lines(
    announcement: Announcement, style: Style, told: MutableMapping[Finding, str] | None = None
) -> Iterator[str]:
    """Yield what there is to say about one check: the verdict, and unless it passed why and what to do.

    Args:
        announcement: The check.
        style: How to print.
        told: Findings that stand above already -> their checks. They are not said twice; this one is added.
    """
    result = announcement.result
    shown = _TO_WRITE if is_unwritten(result.finding) else style_of(result)
    points = points_text(result)
    if style.plain:
        worth = f", {points} points" if result.criterion.points else ""
        yield f"{result.criterion.id}: {shown.word}{worth}{_memory(announcement)}."
    else:
        word = style.paint(f"{shown.icon} {shown.word:<{_WORD_WIDTH - 2}}", shown.kind)
        yield f"{word}{result.criterion.id:<{_ID_WIDTH}}{points:>14}{_memory(announcement)}".rstrip()
    indent = "" if style.plain else "    "
    for line in (*_why(result, {} if told is None else told), *_remarks(result)):
        yield indent + line


def _memory(announcement: Announcement) -> str:
    return " (as last time: the code is the same)" if announcement.remembered else ""


def _why(result: Result, told: MutableMapping[Finding, str]) -> Iterator[str]:
    if result.finding is None or result.outcome is Outcome.PASSED:
        return
    if is_unwritten(result.finding):
        if result.criterion.points:
            yield clean(result.finding.message.split(_UNWRITTEN, 1)[1]).lstrip(": ")
        return
    if result.outcome is Outcome.SKIPPED:
        yield clean(result.finding.message)
        return
    if result.finding in told:
        yield f"The same as {told[result.finding]} above."
        return
    told[result.finding] = result.criterion.id
    yield from finding_lines(result.finding)


def finding_lines(finding: Finding) -> Iterator[str]:
    """Yield a finding, one labelled line per part, each on a line of its own."""
    labelled = (
        ("", finding.message),
        ("expected: ", finding.expected),
        ("got:      ", finding.got),
        ("hint:     ", finding.hint),
        ("at:       ", ": ".join(filter(None, (finding.location, finding.line)))),
    )
    for label, text in labelled:
        rows = clean(text).strip().splitlines()
        for number, row in enumerate(rows):
            yield (label if number == 0 else " " * len(label)) + row


def _remarks(result: Result) -> Iterator[str]:
    for remark in result.observation.remarks[:_MOST_REMARKS]:
        yield f"note: {' '.join(filter(None, (clean(remark.message), clean(remark.got), clean(remark.hint))))}"
    for sentence in result.observation.facts.get("counted_not_timed", ())[:_MOST_COUNTS]:
        yield f"note: {clean(str(sentence))}."
    for flag in result.observation.flags[:_MOST_REMARKS]:
        yield f"note: a TA will look at this, no point is lost: {clean(flag)}"


def is_unwritten(finding: Finding | None) -> bool:
    """Whether the template's own exception came: the function is still to be written."""
    return finding is not None and _UNWRITTEN in finding.message


def closing_lines(report: Report, style: Style, alone: str) -> Iterator[str]:
    """Yield the predicted score, in all and per part, what to do next, and what else a student should know."""
    yield ""
    yield f"Predicted: {predict(report).sentence}."
    rows = predict_parts(report)
    width = max(len(row.name) for row in rows) + 2
    for row in rows:
        yield f"{row.name}: {row.text}." if style.plain else f"  {row.name:<{width}}{row.text}"
    yield from next_lines(report, alone)
    for note in report.evidence.run.notes:
        yield clean(note)


def next_lines(report: Report, alone: str) -> Iterator[str]:
    """Yield what to do first, and the command that looks at it alone."""
    step = first_step(report)
    if step is None:
        return
    unwritten = [result for result in report.results if is_unwritten(result.finding) and result.criterion.points]
    if unwritten and step is unwritten[0]:
        count = f"{len(unwritten)} checks wait" if len(unwritten) > 1 else "1 check waits"
        yield f"{count} for functions that are not written yet."
    yield f"Next: {place_of(step, report)}. To see it alone: {alone}{step.criterion.id}"
