"""Reusable comments: sentences with points that TAs choose from while they mark one check.

A mark has a reusable comment where one line of its own comment is that sentence. So the students' reports, the sheets
and the history need to know nothing of them, and a sentence that is changed is changed in every mark that has it.

Comments with a minus are taken off the full points of the check, those with a plus are added up from 0; a check has one
kind only.

Students who lost the same points for the same reason are a group: a person looks once and decides for all of them.
"""

import hashlib
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

TEXT_LIMIT = 300


@dataclass(frozen=True, slots=True)
class Comment:
    """One sentence for one check, and what it gives or costs."""

    check: str
    text: str
    points: float = 0.0


def read_comments(store: Store) -> tuple[Comment, ...]:
    """Return the reusable comments of a batch, in the order in which they were made; `UsageError` if damaged.

    Until somebody changes them, they are the items of the rubric; a first one with a minus takes the place of these.
    """
    if store.comments.exists():
        return read_record(store.comments, dict[str, tuple[Comment, ...]]).get("entries", ())
    rows = batch_rubric(store).criteria
    return tuple(Comment(row.id, text, points) for row in rows for text, points in row.items)


def start_points(comments: Iterable[Comment], worth: float) -> float:
    """Return from where the comments of one check count: 0 if they add, else the full points."""
    return 0.0 if any(comment.points > 0 for comment in comments) else worth


def sum_points(comments: Sequence[Comment], text: str, worth: float) -> float:
    """Return what the comments of one check give that are lines of `text`."""
    lines = set(text.splitlines())
    total = start_points(comments, worth) + sum(comment.points for comment in comments if comment.text in lines)
    return min(worth, max(0.0, total))


def store_comment(store: Store, comment: Comment, was: str = "", by: str = "") -> tuple[int, tuple[str, ...]]:
    """Add a comment, or put it in the place of the one with the text `was`, in all marks that have that.

    Return how many marks had it, and the names and ids of students whose points were not the sum of their comments: a
    person's word, which stays.

    Raises:
        UsageError: no text, points that cannot be given, or a check that has no points; nothing was changed.
    """
    comment = replace(comment, text=" ".join(printable(comment.text, TEXT_LIMIT).split()))
    with locked(store):
        before = read_comments(store)
        if comment.points < 0 and not store.comments.exists():  # it counts from the full points, and items from 0
            before = tuple(other for other in before if other.check != comment.check)
        rubric = batch_rubric(store)
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
    """Offer the comment no more; marks that have it stay as they are."""
    with locked(store):
        left = (comment for comment in read_comments(store) if (comment.check, comment.text) != (check, text))
        write_record(store.comments, {"entries": tuple(left)})


def _changed_marks(
    marks: Marks, comment: Comment, was: str, lists: tuple[Sequence[Comment], Sequence[Comment]], rubric: Rubric
) -> tuple[list[Mark], tuple[str, ...]]:
    """Return the marks that had the comment, as they are now, and who keeps points that a person gave otherwise."""
    before, after = ([other for other in each if other.check == comment.check] for each in lists)
    worth = rubric.criterion(comment.check).points
    changed, kept = [], []
    for (student, check), mark in marks.current.items():
        lines = mark.comment.splitlines()
        if check != comment.check or not was or was not in lines:
            continue
        text = "\n".join(comment.text if line == was else line for line in lines)
        points = sum_points(after, text, worth)
        if mark.points != sum_points(before, mark.comment, worth):
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
        return f"{comment.check} gives {worth:g} points: a comment gives or costs at most as many."
    if any(other.points * comment.points < 0 for other in others):
        return f"the comments of {comment.check} either all add points or all take some off: change the sign."
    return ""


_GROUPED = {Outcome.FAILED, Outcome.INCONCLUSIVE, Outcome.ERROR}
_VALUES = re.compile(r"[+-]?\d[\d.,]*(e[+-]?\d+)?|\bnan\b|\binf\b")
"""What differs where the inputs are drawn anew for each grading."""


@dataclass(frozen=True, slots=True)
class Group:
    """Hand-ins of which one check says the same, but for numbers; none of them is marked for it yet."""

    criterion: Criterion
    outcome: Outcome
    finding: Finding
    """Of the first."""
    members: tuple[Graded, ...]

    @property
    def id(self) -> str:
        """What names the group in a form: another one as soon as it holds other hand-ins."""
        words = (self.criterion.id, _alike(self.finding), *(member.handin.key for member in self.members))
        return hashlib.sha256("\0".join(words).encode("utf-8", "replace")).hexdigest()[:16]


def group_findings(results: BatchResults) -> tuple[Group, ...]:
    """Return what failed or is undecided and not marked, the largest group first; what only a TA gives is left out."""
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
    """Give all hand-ins of `group` the same mark, or none of them; raises as `give_mark`."""
    marks = [Mark(member.handin.students[0].id, group.criterion.id, points, comment, by) for member in group.members]
    return give_mark(store, *marks, expected_version=version)


def _alike(finding: Finding) -> str:
    return _VALUES.sub("#", f"{finding.message}\n{finding.hint}")
