"""Students who lost the same points for the same reason, so that a person looks once and decides for all of them."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from grader.course.grades.graded import BatchResults, Graded
from grader.course.grades.marks import Marks, give_marks
from grader.course.store import Store
from grader.model import Criterion, Finding, Mark, Outcome, Result

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
        words = (self.criterion.id, _alike(self.finding), *(one.handin.key for one in self.members))
        return hashlib.sha256("\0".join(words).encode("utf-8", "replace")).hexdigest()[:16]


def group_findings(results: BatchResults) -> tuple[Group, ...]:
    """Return what failed or is undecided and not marked, the largest group first; what only a TA gives is left out."""
    found: dict[tuple[str, Outcome, str], list[tuple[Result, Graded]]] = {}
    for graded in results.graded:
        for result in () if graded.evidence.refusal or graded.ungraded else graded.report.results:
            if _is_grouped(result) and result.finding:
                key = (result.criterion.id, result.outcome, _alike(result.finding))
                found.setdefault(key, []).append((result, graded))
    groups = (_group(pairs) for pairs in found.values())
    return tuple(sorted(groups, key=lambda group: (-len(group.members), group.criterion.id)))


def mark_group(store: Store, group: Group, points: float, comment: str, by: str, version: int) -> Marks:
    """Give all hand-ins of `group` the same mark, or none of them; raises as `give_marks`."""
    marks = [Mark(one.handin.students[0].id, group.criterion.id, points, comment, by) for one in group.members]
    return give_marks(store, marks, expected_version=version)


def _is_grouped(result: Result) -> bool:
    row = result.criterion
    return result.outcome in _GROUPED and bool(row.points) and not row.marked_by and result.mark is None


def _group(pairs: list[tuple[Result, Graded]]) -> Group:
    first = pairs[0][0]
    finding = first.finding or Finding("")
    return Group(first.criterion, first.outcome, finding, tuple(graded for _result, graded in pairs))


def _alike(finding: Finding) -> str:
    return _VALUES.sub("#", f"{finding.message}\n{finding.hint}")
