"""A batch as it stands on the disk: evidence + rubric + marks + late days, read and scored again."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from grader.batch.files import read_record
from grader.batch.lateness import read_lateness
from grader.batch.marks import Marks, marks_of, read_marks
from grader.batch.model import Handin, Lateness, Roster, Student
from grader.batch.rules import batch_rubric
from grader.batch.store import Store
from grader.errors import StaffError
from grader.marking import ADJUSTMENT, settle
from grader.model import Evidence, Mark, Report, Rubric
from grader.reports.evidence import decode
from grader.scoring import score


@dataclass(frozen=True, slots=True)
class Graded:
    """One hand-in with what was observed of it, and the report that each of its students gets."""

    handin: Handin
    evidence: Evidence
    reports: Mapping[str, Report]
    """Id of a student → report, marks, lateness and adjustments included. Partners may differ in these."""
    days: Mapping[str, float]
    """Id of a student → days late."""

    @property
    def report(self) -> Report:
        """What the first student gets: the report of the hand-in's folder."""
        return next(iter(self.reports.values()))


@dataclass(frozen=True, slots=True)
class Standing:
    """Everything of a batch, in the order of the roster."""

    roster: Roster
    rubric: Rubric
    graded: tuple[Graded, ...]
    waiting: tuple[Handin, ...] = ()
    """Hand-ins without evidence: not graded yet."""
    damaged: tuple[tuple[Handin, str], ...] = ()
    """Hand-ins whose evidence cannot be read, and why: ours, never a zero."""
    marks: Marks = field(default_factory=Marks)
    strangers: tuple[str, ...] = ()
    """Sentences about marks and late days that count for nobody, because the roster or the rubric has changed."""

    def of(self, student: str) -> Graded | None:
        """Return the graded hand-in of the student with this id."""
        return next((graded for graded in self.graded if student in graded.reports), None)


def load_batch(store: Store, rubric: Rubric | None = None) -> Standing:
    """Return the batch in `store`, scored with `rubric` or its own. No student code runs, nothing is written.

    Raises:
        UsageError: this is no batch, or its marks or late days cannot be read.
        StaffError: the rubric is wrong.
    """
    roster = read_record(store.roster, Roster)
    rules = rubric or batch_rubric(store)
    marks, late = read_marks(store), read_lateness(store.late, roster)
    given = marks.by_student
    graded, waiting, damaged = [], [], []
    for handin in roster.handins:
        try:
            evidence = decode(store.evidence(handin.key).read_bytes())
            graded.append(_grade(handin, evidence, rules, given, late.lines))
        except FileNotFoundError:
            waiting.append(handin)
        except (StaffError, OSError) as error:
            damaged.append((handin, str(error)))
    strangers = (*late.strangers, *_lost_marks(marks, roster, rules))
    return Standing(roster, rules, tuple(graded), tuple(waiting), tuple(damaged), marks, strangers)


def _lost_marks(marks: Marks, roster: Roster, rubric: Rubric) -> Iterator[str]:
    """Yield a sentence for each mark that does not count, or not as it was given."""
    students = {student.id for handin in roster.handins for student in handin.students}
    worth = {row.id: row.points for row in rubric.criteria} | {ADJUSTMENT: math.inf}
    for (student, check), mark in sorted(marks.current.items()):
        if student not in students:
            yield f"marks.json: {student} has a mark for {check} and no hand-in in this batch any more."
        elif check not in worth:
            yield f"marks.json: {student} has a mark for {check}, which the rubric does not have."
        elif mark.points > worth[check]:
            yield f"marks.json: {student} has {mark.points:g} points for {check}, which gives {worth[check]:g} by now."


def _grade(
    handin: Handin,
    evidence: Evidence,
    rubric: Rubric,
    given: Mapping[str, Mapping[str, Mark]],
    lateness: Mapping[str, Lateness],
) -> Graded:
    plain = score(evidence, rubric)
    reports, days = {}, {}
    for student in handin.students:
        late = _lateness_of(student, handin, lateness)
        reports[student.id] = settle(plain, marks_of(given, student.id, handin), late.days, late.comment)
        days[student.id] = late.days
    return Graded(handin, evidence, reports, days)


def _lateness_of(student: Student, handin: Handin, lateness: Mapping[str, Lateness]) -> Lateness:
    """Return the student's own line of the list, else the latest of the partners': they handed in the same file."""
    if student.id in lateness:
        return lateness[student.id]
    shared = [lateness[partner.id] for partner in handin.students if partner.id in lateness]
    return max(shared, key=lambda line: line.days, default=Lateness(student.id, 0.0))
