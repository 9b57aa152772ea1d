"""Reusable comments: sentences with points, from which TAs choose while they mark one check.

A mark uses a reusable comment if one line of the mark's comment is that sentence. So reports, sheets and the history
need no code for reusable comments. When a TA changes the sentence, every mark that uses it is changed, too.

Comments with negative points are subtracted from the full points of the check. Comments with positive points are added,
starting at 0. One check cannot have both kinds.

Hand-ins with the same finding at the same check form a group: a TA looks once and marks all of them.
"""

import hashlib
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from grader.course.grades.graded import BatchResults, Graded
from grader.course.grades.marks import Entry, Marks, add_entries, give_mark, locked, read_marks
from grader.course.grades.tables import read_roster
from grader.course.model import Store, batch_rubric, read_record, write_record
from grader.course.people import label_of
from grader.errors import UsageError
from grader.model import Criterion, Finding, Mark, Outcome, Rubric, printable
from grader.reports.story import counted

TEXT_LIMIT = 300


@dataclass(frozen=True, slots=True)
class Comment:
    """One sentence for one check, with the points that it adds or subtracts."""

    check: str
    text: str
    points: float = 0.0


def read_comments(store: Store) -> tuple[Comment, ...]:
    """Return the reusable comments of a batch, in the order in which they were made; `UsageError` if damaged.

    Until somebody changes a comment, they are the items of the rubric.
    """
    if store.comments.exists():
        return read_record(store.comments, dict[str, tuple[Comment, ...]]).get("entries", ())
    rows = batch_rubric(store).criteria
    return tuple(Comment(row.id, text, points) for row in rows for text, points in row.items.items())


def start_points(comments: Iterable[Comment], worth: float) -> float:
    """Return the points before any comment is applied: 0 if the check's comments add points, else the full points."""
    return 0.0 if any(comment.points > 0 for comment in comments) else worth


def sum_points(comments: Sequence[Comment], text: str, worth: float) -> float:
    """Return the points that follow from those `comments` of one check that are lines of `text`."""
    lines = set(text.splitlines())
    total = start_points(comments, worth) + sum(comment.points for comment in comments if comment.text in lines)
    return min(worth, max(0.0, total))


def store_comment(store: Store, comment: Comment, was: str = "", by: str = "") -> tuple[int, tuple[str, ...]]:
    """Add a comment, or replace the comment with the text `was`, also in all marks that use it.

    Return how many marks used it, and the labels of students whose points stay: they were not the sum of comments.

    Raises:
        UsageError: no text, invalid points or sign, a duplicate, or a check without points; nothing was changed.
    """
    comment = replace(comment, text=" ".join(printable(comment.text, TEXT_LIMIT).split()))
    with locked(store):
        before, rubric = read_comments(store), batch_rubric(store)
        others = [other for other in before if (other.check, other.text) != (comment.check, was)]
        if problem := _problem(comment, [other for other in others if other.check == comment.check], rubric):
            raise UsageError(problem)
        after = tuple(comment if other not in others else other for other in before)
        after = after if comment in after else (*after, comment)
        entries, kept = _changed_marks(read_marks(store), comment, was, (before, after), rubric)
        write_record(store.comments, {"entries": after})
        add_entries(store, read_marks(store), [Entry(replace(mark, by=by, at=None)) for mark in entries])
    roster = read_roster(store)
    return len(entries), tuple(label_of(roster, student) for student in kept)


def remove_comment(store: Store, check: str, text: str) -> None:
    """Remove the comment from the list; marks that use it stay unchanged."""
    with locked(store):
        left = (comment for comment in read_comments(store) if (comment.check, comment.text) != (check, text))
        write_record(store.comments, {"entries": tuple(left)})


def _changed_marks(
    marks: Marks, comment: Comment, was: str, lists: tuple[Sequence[Comment], Sequence[Comment]], rubric: Rubric
) -> tuple[list[Mark], tuple[str, ...]]:
    """Return the marks that used the comment, changed, and the students whose points stay; see `store_comment`."""
    before, after = ([other for other in each if other.check == comment.check] for each in lists)
    worth = rubric.criterion(comment.check).points
    changed, kept = [], []
    for (student, check), mark in marks.current.items():
        lines = mark.comment.splitlines()
        if check != comment.check or not was or was not in lines:
            continue
        text = "\n".join(comment.text if line == was else line for line in lines)
        points = sum_points(after, text, worth)
        if not math.isclose(mark.points, sum_points(before, mark.comment, worth), abs_tol=1e-9):
            points = mark.points
            kept.append(student)
        changed.append(replace(mark, comment=text, points=points))
    return changed, tuple(kept)


def _problem(comment: Comment, others: Sequence[Comment], rubric: Rubric) -> str:
    """Return what is wrong with a comment, as one sentence; empty if nothing is."""
    worth = next((row.points for row in rubric.criteria if row.id == comment.check), 0.0)
    if not worth:
        return f"there is no check {comment.check[:80]!r} with points."
    if not comment.text:
        return "a reusable comment needs a text."
    if any(other.text == comment.text for other in others):
        return f"there is such a comment for {comment.check} already: change that one."
    if not abs(comment.points) <= worth:
        return f"{comment.check} gives {counted(worth, 'point')}: a comment gives or costs at most as many."
    if any(other.points * comment.points < 0 for other in others):
        return f"the comments of {comment.check} all add or all take off points: change the sign, or remove the others."
    return ""


_GROUPED = {Outcome.FAILED, Outcome.INCONCLUSIVE, Outcome.ERROR}
_VALUES = re.compile(r"[+-]?\d[\d.,]*(e[+-]?\d+)?|\bnan\b|\binf\b")
"""Numbers in a finding, which differ between gradings because the inputs are random."""


@dataclass(frozen=True, slots=True)
class Group:
    """Hand-ins with the same finding at one check, apart from numbers; the check is not marked yet in any of them."""

    criterion: Criterion
    outcome: Outcome
    finding: Finding  # the finding of the first member
    members: tuple[Graded, ...]

    @property
    def id(self) -> str:
        """The group's name in a form; it changes when the members change."""
        words = (self.criterion.id, _alike(self.finding), *(member.handin.key for member in self.members))
        return hashlib.sha256("\0".join(words).encode("utf-8", "replace")).hexdigest()[:16]


def group_findings(results: BatchResults) -> tuple[Group, ...]:
    """Return groups of failed or undecided checks without a mark, largest first; checks that TAs mark are left out."""
    alike: dict[tuple[str, Outcome, str], tuple[Criterion, Finding, list[Graded]]] = {}
    for graded in results.graded:
        for result in () if graded.evidence.refusal or graded.ungraded else graded.report.results:
            row, waits = result.criterion, result.outcome in _GROUPED and result.mark is None
            if waits and result.finding and row.points and not row.marked_by:
                key = (row.id, result.outcome, _alike(result.finding))
                alike.setdefault(key, (row, result.finding, []))[2].append(graded)
    groups = (Group(row, key[1], finding, tuple(members)) for key, (row, finding, members) in alike.items())
    return tuple(sorted(groups, key=lambda group: (-len(group.members), group.criterion.id)))


def mark_group(store: Store, group: Group, points: float, comment: str, by: str, version: int) -> Marks:
    """Give all hand-ins of `group` the same mark; if one mark is invalid, give none. Raises as `give_mark`."""
    marks = [Mark(member.handin.students[0].id, group.criterion.id, points, comment, by) for member in group.members]
    return give_mark(store, *marks, expected_version=version)


def _alike(finding: Finding) -> str:
    return _VALUES.sub("#", f"{finding.message}\n{finding.hint}")
