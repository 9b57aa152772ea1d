"""The grade sheet: one row per student, as values and as `grades.csv`."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from grader.course.grades.graded import BatchResults, Graded, find_other_gpus
from grader.course.people import Handin, Student, all_students
from grader.course.platforms.platform import Grade
from grader.intake.tables import csv_bytes, defused, points_cell
from grader.model import Outcome, Report, Rubric, printable
from grader.reports.story import first_step_text, open_sentences
from grader.scoring.marks import ADJUSTMENT, LATE

FINAL, PROVISIONAL, REFUSED = "final", "provisional", "refused"
WAITING, DAMAGED, MISSING = "not graded yet", "evidence unreadable", "nothing handed in"
HEAD = ("student", "name", "email", "score", "low", "high", "status", "provisional", "flags", "late")
_FLAGS_LIMIT = 1000


@dataclass(frozen=True, slots=True)
class Row:
    """One student."""

    student: Student
    status: str
    """One of the words above. Only `final` is a grade without doubt."""
    handin: Handin | None = None
    report: Report | None = None
    days: float = 0.0
    elsewhere: str = ""
    """Why its times cannot be compared with the others': it was graded on another GPU model."""

    def grade(self, provisional: str = "skip") -> float | None:
        """Return the score that may be written into a gradebook, None if there is none yet.

        Args:
            provisional: `skip`, or `low` to take the lower end of what is undecided, and zero for what was refused;
                never the lower end of what the grader itself failed on.
        """
        if self.report is None:
            return None
        costly = (result for result in self.report.results if result.criterion.points > 0)
        is_ours = any(result.outcome is Outcome.ERROR for result in costly)
        if self.status != FINAL and (provisional != "low" or is_ours):
            return None
        return round(self.report.score_low, 2)


def sheet_rows(results: BatchResults) -> tuple[Row, ...]:
    """Return one row per student, sorted by id; partners have one each."""
    graded_of = {student: graded for graded in results.graded for student in graded.reports}
    open_ones = {student.id: (handin, WAITING) for handin in results.waiting for student in handin.students}
    open_ones |= {student.id: (handin, DAMAGED) for handin, _why in results.damaged for student in handin.students}
    elsewhere = find_other_gpus({graded.handin.key: graded.evidence for graded in results.graded})
    rows = (_row(student, graded_of.get(student.id), open_ones) for student in all_students(results.roster))
    return tuple(replace(row, elsewhere=elsewhere.get(row.handin.key, "") if row.handin else "") for row in rows)


def grades_of(rows: Iterable[Row], provisional: str = "skip") -> tuple[Grade, ...]:
    """Return what a platform's table may get of `rows`; `provisional` as in `Row.grade`."""
    grades = []
    for row in rows:
        report, points, lines = row.report, row.grade(provisional), []
        if report and points is not None:  # beside the grade: the score, what moved it, what TAs said, a first step
            lines += [f"Score: {report.score_text}", *(entry.text for entry in report.adjustments)]
            lines += [*said_by_people(report), *open_sentences(report), first_step_text(report)]
        grades.append(Grade(row.student, row.handin, report is not None, points, "\n".join(lines)))
    return tuple(grades)


def said_by_people(report: Report) -> Iterator[str]:
    """Yield what people gave and wrote for single checks, and for lines of the code, a line each."""
    for result in report.results:
        if result.mark:
            yield f"{result.criterion.id}: {result.points_low:g} points. {result.mark.comment}"
    yield from (f"{comment.file}, line {comment.line}: {comment.text}" for comment in report.comments)


def grades_csv(results: BatchResults) -> bytes:
    """Return `grades.csv`: points of open checks are ranges, such as `0 to 7`, and an open score is left empty."""
    checks = [row.id for row in results.rubric.criteria]
    header = (*HEAD, "late points", "adjustment", *checks, "sha256")
    rows = (tuple(_cells(row, results.rubric)) for row in sheet_rows(results))
    return csv_bytes([header, *rows], bom=True)


def _row(student: Student, graded: Graded | None, open_ones: dict[str, tuple[Handin, str]]) -> Row:
    if graded is not None:
        report = graded.reports[student.id]
        adjusted = any(entry.what == ADJUSTMENT for entry in report.adjustments)
        status = PROVISIONAL if report.provisional else FINAL
        if report.evidence.refusal and not adjusted and not any(result.mark for result in report.results):
            status = REFUSED  # in doubt until a person has said something about it
        return Row(student, status, graded.handin, report, graded.days[student.id])
    handin, status = open_ones.get(student.id, (None, MISSING))
    return Row(student, status, handin)


def _cells(row: Row, rubric: Rubric) -> Iterator[str]:
    yield from (defused(printable(text, 200)) for text in (row.student.id, row.student.name, row.student.email))
    report = row.report
    if report is None:
        yield from ("", "", "", row.status, "yes" if row.handin else "", _flags(row), "", "", "")
        yield from ("" for _ in rubric.criteria)
    else:
        grade = row.grade()
        yield "" if grade is None else points_cell(grade)
        yield from (points_cell(report.score_low), points_cell(report.score_high), row.status)
        yield from ("yes" if row.status != FINAL else "no", _flags(row), points_cell(row.days) if row.days else "")
        yield from (_moved(report, what) for what in (LATE, ADJUSTMENT))
        yield from (_range_cell(result.points_low, result.points_high) for result in report.results)
    yield row.handin.sha256 if row.handin else ""


def _range_cell(low: float, high: float) -> str:
    return points_cell(low) if low == high else f"{points_cell(low)} to {points_cell(high)}"


def _moved(report: Report, what: str) -> str:
    """Return what the adjustments called `what` add to the score, empty if there are none."""
    entries = [entry for entry in report.adjustments if entry.what == what]
    ends = math.fsum(entry.points_low for entry in entries), math.fsum(entry.points_high for entry in entries)
    return _range_cell(*sorted(ends)) if entries else ""


def _flags(row: Row) -> str:
    flags = [f"{check}: {why}" for check, why in row.report.flags] if row.report else []
    if row.handin:
        flags += row.handin.flags
    flags += [row.elsewhere] if row.elsewhere else []
    return defused(" ".join(printable("; ".join(flags), _FLAGS_LIMIT).split()))
