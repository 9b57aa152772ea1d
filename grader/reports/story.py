"""The sentences of a report, the same in every format: undecided points, who decides them, the first step."""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import groupby

from grader.model import Finding, Outcome, Report, Result, printable

_DIGITS = "digits"  # the name in runs of the data set that replaces MNIST
CODE = re.compile(r"`([^`\n]+)`")  # a name in backticks


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the assignment: its results, the most urgent first, and the range of its points."""

    name: str
    results: tuple[Result, ...]
    points: float
    points_low: float
    points_high: float


@dataclass(frozen=True, slots=True)
class OutcomeStyle:
    """How an outcome is shown: a `kind` for styles, a word for readers, and an icon."""

    kind: str
    word: str
    icon: str


_STYLES = {
    Outcome.FAILED: OutcomeStyle("failed", "failed", "✗"),
    Outcome.ERROR: OutcomeStyle("error", "grader error", "⚠"),
    Outcome.SKIPPED: OutcomeStyle("skipped", "skipped", "↷"),
    Outcome.INCONCLUSIVE: OutcomeStyle("inconclusive", "undecided", "?"),
    Outcome.NOT_MEASURED: OutcomeStyle("not_measured", "not measured", "◌"),
    Outcome.PASSED: OutcomeStyle("passed", "passed", "✓"),
}
"""How outcomes are shown, the most urgent first."""


def plain(text: str) -> str:
    """Return a sentence without the backticks around names, for plain text; pages show such names as code."""
    return CODE.sub(r"\1", text)


def style_of(result: Result) -> OutcomeStyle:
    """Return how the outcome of `result` is shown; a failure that costs no points is a warning."""
    if result.mark:
        return OutcomeStyle("failed" if result.outcome is Outcome.FAILED else "passed", "marked", "✎")
    if result.is_partly_right:
        return OutcomeStyle("warning", "partly right", "◐")
    if result.outcome is Outcome.FAILED and not result.criterion.points:
        return OutcomeStyle("warning", "warning", "!")
    if result.outcome is Outcome.INCONCLUSIVE and result.criterion.marked_by == "ta":
        return OutcomeStyle("inconclusive", "for a TA", "✎")
    return _STYLES[result.outcome]


def urgency(result: Result) -> int:
    """Return a sort key for `result`: failures come first, passed checks last."""
    return [*_STYLES].index(result.outcome)


def parts(report: Report) -> tuple[Part, ...]:
    """Return the parts in the rubric's order, each with its failures first."""
    order = {name: number for number, name in enumerate(dict.fromkeys(row.part for row in report.rubric.criteria))}
    ordered = sorted(report.results, key=lambda result: order[result.criterion.part])
    made = []
    for name, group in groupby(ordered, lambda result: result.criterion.part):
        rows = tuple(sorted(group, key=urgency))
        points = math.fsum(result.criterion.points for result in rows)
        low, high = math.fsum(result.points_low for result in rows), math.fsum(result.points_high for result in rows)
        made.append(Part(name, rows, points, low, high))
    return tuple(made)


def range_text(low: float, high: float) -> str:
    """Return `3`, or `0 to 7` while points are undecided."""
    return f"{low:g}" if low == high else f"{low:g} to {high:g}"


def points_text(result: Result) -> str:
    """Return `3 of 3`, `0 to 7 of 7`, or a dash for a row that gives no points."""
    worth = result.criterion.points
    return f"{range_text(result.points_low, result.points_high)} of {worth:g}" if worth else "-"


def first_step(report: Report) -> Result | None:
    """Return the first failed check that costs points and is visible, for the student to begin with; None if none."""
    visible = (result for result in report.results if result.criterion.visibility == "visible")
    return next((result for result in visible if result.outcome is Outcome.FAILED and result.criterion.points), None)


def first_step_text(report: Report) -> str:
    """Return the first step in one sentence; empty if there is nothing to do."""
    if report.evidence.refusal:
        return f"Start with the hand-in itself: {printable(report.evidence.refusal)}"
    step = first_step(report)
    if step is None:
        return ""
    message = printable(step.finding.message) if step.finding else f"it fails. {printable(step.observation.sentence)}"
    return f"Start with {place_of(step, report)}: {message}"


def place_of(step: Result, report: Report) -> str:
    """Return where to begin: the line of the code if several checks fail with this finding, else the check."""
    file, _, line = step.finding.location.rpartition(":") if step.finding else ("", "", "")
    is_shared = step.criterion.id in repeats(report).values()
    return f"{printable(file)}, line {line}" if is_shared and file and line.isdecimal() else step.criterion.id


def repeats(report: Report) -> dict[str, str]:
    """Return failed check -> the earlier check with the same finding, for findings that are shown only once."""
    first_of: dict[Finding, str] = {}
    same: dict[str, str] = {}
    for result in (result for part in parts(report) for result in part.results):
        if result.outcome is Outcome.FAILED and result.finding and not result.mark:
            first = first_of.setdefault(result.finding, result.criterion.id)
            if first != result.criterion.id:
                same[result.criterion.id] = first
    return same


def open_sentences(report: Report) -> tuple[str, ...]:
    """Return one sentence for each kind of undecided points: how many, of which checks, and what decides them."""
    if report.evidence.refusal and report.provisional:
        return (f"All {report.rubric.total:g} points are undecided: a TA looks at the file and decides.",)
    ran = report.evidence.by_check
    groups: dict[str, list[Result]] = {}
    for result in report.results:
        if result.outcome.is_open and result.criterion.points:
            groups.setdefault(_decided_by(result, result.criterion.id in ran), []).append(result)
    sentences = []
    for decided_by, results in groups.items():
        worth = counted(math.fsum(result.points_high for result in results), "point")
        sentences.append(f"{worth} of {listed(result.criterion.id for result in results)}: {decided_by}.")
    return tuple(sentences)


def _decided_by(result: Result, ran: bool) -> str:
    if not ran:
        return "not run this time; run all checks to decide"
    if result.outcome is Outcome.ERROR:
        return "undecided because the grader failed, not the submission; the course staff grades again"
    if result.outcome is Outcome.NOT_MEASURED:
        machine = "a GPU" if result.criterion.hardware == "gpu" else "the hardware that it needs"
        return f"decided on a machine with {machine}"
    return "given by a TA" if result.criterion.marked_by == "ta" else "undecided by the measurement; a TA looks at it"


def listed(names: Iterable[str], most: int = 4) -> str:
    """Return the first `most` names, and how many more there are: `a, b and 3 more`."""
    shown = list(names)
    return ", ".join(shown[:most]) + (f" and {len(shown) - most} more" if len(shown) > most else "")


def fact_text(value: object) -> str:
    """Return a measured value, or an interval, in words."""
    if isinstance(value, list | tuple):
        return " to ".join(map(fact_text, value))
    return f"{value:.4g}" if isinstance(value, int | float) else "not measured"


def counted(number: float, noun: str) -> str:
    """Return a number of things in words: `1 core`, `4 cores`, `1.5 points`."""
    return f"{number:g} {noun}{'' if number == 1 else 's'}"


def seconds_text(seconds: float) -> str:
    """Return a time with its unit: `12.3 s`, `45.6 ms`, `7.8 µs`."""
    for scale, unit in ((1.0, "s"), (1e-3, "ms")):
        if seconds >= scale:
            return f"{float(f'{seconds / scale:.3g}'):g} {unit}"
    return f"{seconds * 1e6:.3g} µs"


def selection_text(report: Report) -> str:
    """Return a sentence about the checks that ran, if only some did (`--only`); else, or if refused, an empty text."""
    ran = report.evidence.by_check
    chosen = [row.id for row in report.rubric.criteria if row.id in ran]
    if report.evidence.refusal or len(chosen) == len(report.rubric.criteria):
        return ""
    names = f": {listed(chosen)}" if chosen else ""
    return f"Only {len(chosen)} of {len(report.rubric.criteria)} checks ran{names}. All other points are undecided."


def data_text(reports: Iterable[Report]) -> str:
    """Return a sentence for readers of `reports` if some networks learned the digits; else an empty text."""
    learned = [report.evidence.run.data for report in reports if not report.evidence.refusal]
    number = learned.count(_DIGITS)
    some = f", for {number} of {counted(len(learned), 'hand-in')}" if number < len(learned) else ""
    return f"Data set: scikit-learn's handwritten digits, not MNIST{some}." if number else ""


def labelled(finding: Finding) -> tuple[tuple[str, str], ...]:
    """Return the parts of a finding, each after its label; some may be empty."""
    rows = ("", finding.message), ("expected: ", finding.expected), ("got: ", finding.got), ("hint: ", finding.hint)
    return *rows, ("at: ", ": ".join(filter(None, (finding.location, finding.line))))


def finding_text(finding: Finding, *, with_got: bool = True) -> str:
    """Return all parts of a finding with their labels, one per line."""
    rows = labelled(finding if with_got else replace(finding, got=""))
    return "\n".join(label + printable(text) for label, text in rows if text)
