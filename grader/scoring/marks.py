"""Apply to a report what people decide after the checks: marks, lateness, adjustments.

    marks         points of one check; they replace its range, whatever the check observed, and decide about the checks
                  that need it: these are lost with it, or undecided again
    lateness      costs what the rubric's [late] table says, from the points reached with the marks
    adjustments   points that no check gives, added last
    comments      remarks of a person on a line of the code, in a mark without points

If a file was refused, all its points are undecided; once a person has marked or adjusted something, checks without a
mark lose their points.

They are applied in this order. The score never falls below 0.
"""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from grader.model import Adjustment, File, Finding, LateRule, LineComment, Mark, Outcome, Report, Result
from grader.scoring.score import apply_needs

ADJUSTMENT = "adjustment"  # the name in the place of a check's id in a mark for the whole score
LATE = "late"
_DAY_MIN = 24 * 60
_LINE = re.compile(r"[^\n]+:(?P<line>[1-9][0-9]{0,5})@[0-9a-f]{12}")


def apply_marks(report: Report, marks: Iterable[Mark] = (), days: float = 0.0, comment: str = "") -> Report:
    """Return `report` with all decisions of people.

    Args:
        report: The result of `grader.scoring.score.score`.
        marks: At most one for each check, and at most one adjustment. A mark of a check that the rubric does not
            have is left out, and one above the check's points counts as all of them: the rubric decides.
        days: How late the hand-in came.
        comment: The remark about it in the course's list.
    """
    every = tuple(marks)
    by_check = {mark.check: mark for mark in every if not line_of(mark.check)}
    before: Iterable[Result] = report.results
    if by_check and report.evidence.refusal:  # a person has looked at the refused file, and has marked what counts
        before = (replace(result, outcome=Outcome.FAILED, points_high=0.0) for result in before)
    results = apply_needs(_marked(result, by_check.get(result.criterion.id)) for result in before)
    low, high = (math.fsum(points) for points in zip(*((r.points_low, r.points_high) for r in results), strict=True))
    adjustments, rule = [], report.rubric.late
    if days > 0:
        text = f"{late_text(rule, days)}; {_price_text(rule, days)}{f' ({comment})' if comment else ''}"
        lost_low, lost_high = (0.0 if rule is None else late_points(rule, days, points) for points in (low, high))
        adjustments.append(Adjustment(LATE, lost_low, lost_high, text))
    if own := by_check.get(ADJUSTMENT):
        adjustments.append(Adjustment(ADJUSTMENT, own.points, own.points, own.comment, own.by))
    return replace(
        report,
        results=results,
        score_low=max(0.0, math.fsum([low, *(entry.points_low for entry in adjustments)])),
        score_high=max(0.0, math.fsum([high, *(entry.points_high for entry in adjustments)])),
        adjustments=tuple(adjustments),
        comments=_line_comments(every, report.evidence.submission.files),
    )


def line_key(file: File, line: int) -> str:
    """Return the text in the place of a check's id in a comment on a line of `file`; it names its contents, too."""
    return f"{file.name}:{line}@{file.sha256[:12]}"


def line_of(check: str) -> str:
    """Return `file:line` of what `line_key` made; empty for a check's id."""
    return check.rpartition("@")[0] if _LINE.fullmatch(check) else ""


def line_in(check: str, files: Sequence[File]) -> tuple[str, int] | None:
    """Return the file and the line that `check` stands for; None if it is not a line of exactly these files."""
    match = _LINE.fullmatch(check)
    line = int(match["line"]) if match else 0
    named = (file for file in files if line and check == line_key(file, line))
    return next(((file.name, line) for file in named if line <= len(file.text.splitlines())), None)


def _line_comments(marks: Iterable[Mark], files: Sequence[File]) -> tuple[LineComment, ...]:
    order = [file.name for file in files]
    places = ((line_in(mark.check, files), mark) for mark in marks)
    comments = [LineComment(*place, mark.comment, mark.by) for place, mark in places if place]
    return tuple(sorted(comments, key=lambda comment: (order.index(comment.file), comment.line)))


def late_points(rule: LateRule, days: float, points: float) -> float:
    """Return what `days` of lateness add to `points`: 0 or a negative number, never below minus `points`."""
    if _is_refused(rule, days):
        return -points or 0.0
    cost = _charged_days(rule, days) * (rule.points_per_day + points * rule.percent_per_day / 100)
    return -min(points, round(cost, 6)) or 0.0  # no negative zero on a sheet


def _charged_days(rule: LateRule, days: float) -> int:
    return max(0, math.ceil(days - rule.free_days - 1e-9))


def _marked(result: Result, mark: Mark | None) -> Result:
    if mark is None:
        return result
    points = min(mark.points, result.criterion.points)
    return replace(
        result,
        outcome=Outcome.FAILED if points <= 0 < result.criterion.points else Outcome.PASSED,
        points_low=points,
        points_high=points,
        finding=Finding(mark.comment or "The course staff gave these points."),
        mark=mark,
    )


def late_text(rule: LateRule | None, days: float) -> str:
    """Return how late a hand-in came and how many days that counts: `1 day 9 h late: counts as 2`."""
    text = f"{_days_text(days)} late"
    if rule is None:
        return text
    if _is_refused(rule, days):
        return f"{text}: not accepted"
    free = f" ({rule.free_days:g} free)" if rule.free_days else ""
    return f"{text}: counts as {_charged_days(rule, days)}{free}"


def _days_text(days: float) -> str:
    """Return a time in its two largest units; a minute that has begun counts, but not by how days are rounded up."""
    minutes = max(1, math.ceil(days * _DAY_MIN - _DAY_MIN / 1e4))
    whole, hours, rest = minutes // _DAY_MIN, minutes % _DAY_MIN // 60, minutes % 60
    parts = [f"{whole} {'day' if whole == 1 else 'days'}", f"{hours} h", f"{rest} min"]
    return " ".join([part for part in parts if not part.startswith("0 ")][:2])


def _is_refused(rule: LateRule, days: float) -> bool:
    return rule.max_days is not None and days > rule.max_days


def _price_text(rule: LateRule | None, days: float) -> str:
    """Return, in words, what the rubric subtracts for these days."""
    if rule is None:
        return "the rubric has no [late] table, so this costs nothing"
    if _is_refused(rule, days):
        return f"nothing is accepted after {rule.max_days:g} days"
    price = f"{rule.points_per_day:g} points" if rule.points_per_day else f"{rule.percent_per_day:g} %"
    return f"{price} for each"
