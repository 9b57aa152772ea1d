"""The results of a batch, computed from its files: evidence + rubric + marks + late days; and the grade sheet.

The sheet has one row per student, as values and as `grades.csv`.
"""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from grader.course.grades.marks import Marks, is_earlier, marks_of, read_marks
from grader.course.grades.tables import Lateness, read_lateness, read_roster
from grader.course.model import Store, batch_rubric
from grader.course.people import Handin, Roster, Student, all_students, label_of
from grader.course.platforms.platform import Grade
from grader.course.similarity import flagged, read_similarities
from grader.errors import StaffError
from grader.intake.tables import csv_bytes, defused, points_cell
from grader.model import Evidence, Mark, Outcome, Report, Rubric, printable
from grader.reports.audience import for_students
from grader.reports.files import decode
from grader.reports.story import counted, first_step_text, listed, open_sentences
from grader.scoring.marks import ADJUSTMENT, LATE, apply_marks, line_in, line_of
from grader.scoring.score import score

_REMEMBERED = 4096  # reports in the cache, so that pages need not score a class again: one speed-up takes up to 10 ms


@dataclass(frozen=True, slots=True)
class Graded:
    """One hand-in with its evidence, and the report of each of its students."""

    handin: Handin
    evidence: Evidence
    reports: Mapping[str, Report]  # id of a student → report with marks, lateness and adjustments; partners may differ
    days: Mapping[str, float]  # id of a student → days late

    @property
    def report(self) -> Report:
        """The report of the first student, which is also the report in the hand-in's folder."""
        return next(iter(self.reports.values()))

    @property
    def ungraded(self) -> str:
        """Why the grading did not finish, so that all points are undecided; empty if it finished."""
        return why_ungraded(self.evidence)


@dataclass(frozen=True, slots=True)
class BatchResults:
    """The results of all hand-ins of a batch, in the order of the roster."""

    roster: Roster
    rubric: Rubric
    graded: tuple[Graded, ...]
    waiting: tuple[Handin, ...] = ()  # hand-ins without evidence: not graded yet
    damaged: tuple[tuple[Handin, str], ...] = ()
    """Hand-ins whose evidence cannot be read, and why. This is our fault, so their score stays undecided."""
    marks: Marks = field(default_factory=Marks)
    unmatched: tuple[str, ...] = ()
    """Sentences about marks and late days that do not count, or not as given: unknown student, check, line, ..."""


def read_scored(path: Path, rubric: Rubric) -> Report:
    """Return the report on the evidence in the file `path`, without marks and lateness.

    The report is cached until the file or the rubric changes.

    Raises:
        OSError: the file is missing or cannot be read.
        StaffError: it is damaged.
    """
    status = path.stat()
    return _scored(path, rubric, (status.st_ino, status.st_size, status.st_mtime_ns))


@lru_cache(_REMEMBERED)
def _scored(path: Path, rubric: Rubric, _state: tuple[int, int, int]) -> Report:
    return score(decode(path.read_bytes()), rubric)


def why_ungraded(evidence: Evidence) -> str:
    """Return why the grading of this hand-in did not finish and observed nothing; empty if it finished."""
    submission = evidence.submission
    return "" if evidence.refusal or submission.files or submission.missing else " ".join(evidence.run.notes)


def load_batch(store: Store, rubric: Rubric | None = None) -> BatchResults:
    """Return the batch in `store`, scored with `rubric` or its own. Runs no student code, writes nothing.

    Raises:
        UsageError: this is no batch, or its marks, late days or tables cannot be read.
        StaffError: the rubric is wrong.
    """
    roster = flagged(read_roster(store), read_similarities(store))
    rules = rubric or batch_rubric(store)
    marks, (late, unmatched) = read_marks(store), read_lateness(store.late, roster)
    by_times = read_lateness(store.counted_late, roster)[0]
    marks_by_student = marks.by_student
    graded, waiting, damaged = [], [], []
    for handin in roster.handins:
        try:
            plain = read_scored(store.evidence(handin.key), rules)
            graded.append(_grade(handin, plain, marks_by_student, (late, by_times)))
        except FileNotFoundError:
            waiting.append(handin)
        except (StaffError, OSError) as error:
            damaged.append((handin, str(error)))
    absent = (who.label for who in roster.missing if who.id in late and late[who.id].days)
    for_nobody = (f"late.csv: {who} handed in nothing, so that the days count for nobody." for who in absent)
    lost = (*unmatched, *for_nobody, *_lost_marks(marks, roster, rules, graded))
    if rules.late is None and (free := sum(days > 0 for one in graded for days in one.days.values())):
        lost += (f"{free} handed in late, which costs nothing: the rubric has no [late] table (--rubric).",)
    return BatchResults(roster, rules, tuple(graded), tuple(waiting), tuple(damaged), marks, lost)


def _lost_marks(marks: Marks, roster: Roster, rubric: Rubric, graded: Sequence[Graded]) -> Iterator[str]:
    """Yield a sentence for each mark that does not count, or counts less than it says."""
    handin_of = {student.id: handin for handin in roster.handins for student in handin.students}
    worth = {row.id: row.points for row in rubric.criteria} | {ADJUSTMENT: math.inf}
    for (student, check), mark in sorted(marks.current.items()):
        about = f"marks.json: {label_of(roster, student)} has"
        if student not in handin_of:
            yield f"{about} a mark for {check} and no hand-in in this batch any more: give the list that has this id."
        elif place := line_of(check):
            own = (candidate for candidate in graded if student in candidate.reports)
            if not any(line_in(check, candidate.evidence.submission.files) for candidate in own):
                yield f"{about} a comment on {place} of another file than is graded now: it is not shown."
        elif is_earlier(mark, handin_of[student]) and check != ADJUSTMENT:
            yield f"{about} a mark for {check} of an earlier file, which counts: look, and give or withdraw it again."
        elif check not in worth:
            yield f"{about} a mark for {check}, which the rubric does not have."
        elif mark.points > worth[check]:
            yield f"{about} {counted(mark.points, 'point')} for {check}, which gives {worth[check]:g} by now."


def _grade(
    handin: Handin, plain: Report, marks: Mapping[str, Mapping[str, Mark]], tables: Iterable[Mapping[str, Lateness]]
) -> Graded:
    """Grade a hand-in; the first of `tables` that has a line for one of its students says how late it was."""
    reports, days = {}, {}
    plain, ids = replace(plain, students=handin.labels), {student.id for student in handin.students}
    lateness = next((table for table in tables if ids & table.keys()), {})
    of_all = [lateness[partner.id] for partner in handin.students if partner.id in lateness]
    for student in handin.students:  # without a line of their own: as late as the latest partner
        latest = max(of_all, key=lambda line: line.days, default=Lateness(student.id, 0.0))
        late = lateness.get(student.id, latest)
        reports[student.id] = apply_marks(plain, marks_of(marks, student.id, handin), late.days, late.comment)
        days[student.id] = late.days
    return Graded(handin, plain.evidence, reports, days)


_NO_GPU = "the CPU, without a GPU"


def find_other_gpus(evidence: Mapping[str, Evidence]) -> dict[str, str]:
    """Return key -> a sentence, for each hand-in graded without a GPU or on another model than the most frequent GPU.

    If nothing ran on a GPU, the result is empty. Refused hand-ins, and those without observations, such as those that
    a cluster lost, are left out.
    """
    runs = {key: record.run for key, record in evidence.items() if record.run.hardware and not record.refusal}
    models = {
        key: printable(run.hardware.get("cuda", ""), 100) if run.device == "gpu" else _NO_GPU
        for key, run in runs.items()
    }
    counts = Counter(models.values())  # most frequent GPU, ties by name; the CPU only without any GPU
    usual = min(counts, key=lambda model: (model == _NO_GPU, -counts[model], model), default=_NO_GPU)
    if usual == _NO_GPU:
        return {}
    return {
        key: f"graded on {model}, unlike most of the batch ({usual}): grade it again there before comparing times"
        for key, model in models.items()
        if model != usual
    }


def describe_other_gpus(keys: Collection[str]) -> tuple[str, ...]:
    """Return a sentence for the TA about the hand-ins that `find_other_gpus` found; nothing if there are none."""
    if not keys:
        return ()
    count = f"{counted(len(keys), 'hand-in')} {'were' if len(keys) > 1 else 'was'}"
    return (f"{count} graded on another GPU model than the rest; the sheet flags them: {listed(sorted(keys), 5)}",)


FINAL, PROVISIONAL, REFUSED = "final", "provisional", "refused"
WAITING, DAMAGED, MISSING = "not graded yet", "evidence unreadable", "nothing handed in"
HEAD = ("student", "name", "email", "score", "low", "high", "status", "provisional", "flags", "late")
_FLAGS_LIMIT = 1000


@dataclass(frozen=True, slots=True)
class Row:
    """One student's row of the grade sheet."""

    student: Student
    status: str  # one of the constants above. Only `final` means that no points are undecided
    handin: Handin | None = None
    report: Report | None = None
    days: float = 0.0
    elsewhere: str = ""  # why the times cannot be compared with others': graded on another GPU model; empty if they can

    def grade(self, provisional: str = "skip") -> float | None:
        """Return the score that may be written into a gradebook; None if there is none yet.

        Args:
            provisional: `skip` gives None for a score that is not final. `low` gives its lower end, which is 0 for a
                refused file, but None if the grader failed on a check with points, or did not run it.
        """
        if self.report is None:
            return None
        ran = self.report.evidence.by_check
        costly = [result for result in self.report.results if result.criterion.points > 0]
        is_ours = any(result.outcome is Outcome.ERROR for result in costly)
        is_partial = any(one.outcome is Outcome.NOT_MEASURED and one.criterion.id not in ran for one in costly)
        if self.status != FINAL and (provisional != "low" or is_ours or is_partial):
            return None
        return round(self.report.score_low, 2)


def sheet_rows(results: BatchResults) -> tuple[Row, ...]:
    """Return one row per student, sorted by id. Each partner has a row."""
    graded_of = {student: graded for graded in results.graded for student in graded.reports}
    open_ones = {student.id: (handin, WAITING) for handin in results.waiting for student in handin.students}
    open_ones |= {student.id: (handin, DAMAGED) for handin, _why in results.damaged for student in handin.students}
    elsewhere = find_other_gpus({graded.handin.key: graded.evidence for graded in results.graded})
    rows = (_row(student, graded_of.get(student.id), open_ones) for student in all_students(results.roster))
    return tuple(replace(row, elsewhere=elsewhere.get(row.handin.key, "") if row.handin else "") for row in rows)


def grades_of(rows: Iterable[Row], provisional: str = "skip") -> tuple[Grade, ...]:
    """Return the grades and comments for a platform's table; `provisional` as in `Row.grade`."""
    grades = []
    for row in rows:
        report, points, lines = row.report, row.grade(provisional), []
        if report and points is not None:  # the comment: score, lateness, marks, undecided points, first step
            lines += [f"Score: {report.score_text}", *(entry.text for entry in report.adjustments)]
            shown = for_students(report)
            lines += [*said_by_people(shown), *open_sentences(shown), first_step_text(shown)]
        grades.append(Grade(row.student, row.handin, report is not None, points, "\n".join(lines)))
    return tuple(grades)


def said_by_people(report: Report) -> Iterator[str]:
    """Yield one line for each mark of a check, and one for each comment on a line of the code."""
    for result in report.results:
        if result.mark:
            yield f"{result.criterion.id}: {counted(result.points_low, 'point')}. {result.mark.comment}"
    yield from (f"{comment.file}, line {comment.line}: {comment.text}" for comment in report.comments)


def grades_csv(results: BatchResults) -> bytes:
    """Return `grades.csv`; undecided checks have ranges, such as `0 to 7`, and a score that is not final is empty."""
    header = (*HEAD, "late points", "adjustment", *(row.id for row in results.rubric.criteria), "sha256")
    return csv_bytes([header, *(tuple(_cells(row, results.rubric)) for row in sheet_rows(results))], bom=True)


def _row(student: Student, graded: Graded | None, open_ones: dict[str, tuple[Handin, str]]) -> Row:
    if graded is not None:
        report = graded.reports[student.id]
        adjusted = any(entry.what == ADJUSTMENT for entry in report.adjustments)
        status = PROVISIONAL if report.provisional else FINAL
        if report.evidence.refusal and not adjusted and not any(result.mark for result in report.results):
            status = REFUSED  # until a TA marks or adjusts it
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
    """Return the points that the adjustments named `what` add to the score; empty if there are none."""
    entries = [entry for entry in report.adjustments if entry.what == what]
    ends = math.fsum(entry.points_low for entry in entries), math.fsum(entry.points_high for entry in entries)
    return _range_cell(*sorted(ends)) if entries else ""


def _flags(row: Row) -> str:
    flags = [f"{check}: {why}" for check, why in row.report.flags] if row.report else []
    if row.handin:
        flags += row.handin.flags
    flags += [row.elsewhere] if row.elsewhere else []
    return defused(" ".join(printable("; ".join(flags), _FLAGS_LIMIT).split()))
