"""Two batches, or two reports, side by side: what changed, as a text, a CSV and a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from grader.course.files import read_record
from grader.course.grades.difference import SCORE, Change, Side, compare
from grader.course.grades.graded import load_batch
from grader.course.grades.rescoring import Place, find_place, score_place
from grader.course.job import read_done
from grader.course.people import Roster, all_students
from grader.course.store import Store
from grader.errors import UsageError
from grader.intake.tables import csv_bytes, defused
from grader.model import printable
from grader.reports.pages import render_page
from grader.reports.story import counted

_NAME_LIMIT = 120
_HEAD = ("student", "name", "what", "before", "after", "why")


def compare_paths(old: Path, new: Path, rubrics: tuple[Path | None, Path | None] = (None, None)) -> tuple[Change, ...]:
    """Return what changed between two batches, or between two reports, sorted by student.

    Args:
        old: A batch, a report's folder or an evidence.json.
        new: Another of the same kind.
        rubrics: What to score reports with, in place of the assignment's own rubric.

    Raises:
        UsageError: a path is neither, or the two are not of a kind, or something in them cannot be read.
        StaffError: a rubric is wrong.
    """
    places = find_place(old), find_place(new)
    if places[0].is_batch != places[1].is_batch:
        raise UsageError(f"one of {old} and {new} is a batch and the other one report: name two of a kind.")
    if places[0].is_batch and any(rubrics):
        raise UsageError("batches have rubrics of their own: rescore them first, or compare two reports.")
    was, now = (_sides(place, rubric) for place, rubric in zip(places, rubrics, strict=True))
    names = {**_names(places[0]), **_names(places[1])}
    if not places[0].is_batch:
        name = next(iter(now))
        was, now = {name: next(iter(was.values()))}, {name: next(iter(now.values()))}
    return tuple(
        replace(change, name=names.get(who, ""))
        for who in sorted({*was, *now})
        for change in compare(who, was.get(who), now.get(who))
    )


def summary_of(changes: Sequence[Change]) -> str:
    """Return one sentence: how many students, how many checks, and the reasons by how often they occur."""
    if not changes:
        return "Nothing changed."
    students = len({change.student for change in changes})
    checks = [change for change in changes if change.check != SCORE]
    reasons = Counter(reason.partition(":")[0] for change in checks for reason in change.reasons)
    because = ", ".join(f"{reason} {count}" for reason, count in reasons.most_common())
    scores = sum(change.check == SCORE for change in changes)
    return f"{counted(students, 'student')}, {counted(len(checks), 'check')} and {counted(scores, 'score')} changed" + (
        f". Reasons: {because}." if because else "."
    )


def diff_text(changes: Sequence[Change]) -> str:
    """Return the changes for a terminal, grouped by student."""
    lines = []
    for student, group in groupby(changes, lambda change: change.student):
        about = list(group)
        lines.append(printable(f"{student}  {about[0].name}".rstrip(), _NAME_LIMIT))
        for change in about:
            lines.append(printable(f"  {change.check:<24} {change.before}  ->  {change.after}"))
            lines += [f"      {printable(reason)}" for reason in change.reasons if change.check != SCORE]
    return "\n".join([*lines, summary_of(changes)]) + "\n"


def diff_csv(changes: Sequence[Change]) -> bytes:
    """Return the changes as CSV."""
    rows = (
        (change.student, change.name, change.check, change.before, change.after, "; ".join(change.reasons))
        for change in changes
    )
    return csv_bytes([_HEAD, *([defused(printable(text)) for text in row] for row in rows)], bom=True)


def diff_page(changes: Sequence[Change], old: Path, new: Path) -> str:
    """Return the changes as one page."""
    context = {"changes": changes, "old": str(old), "new": str(new), "summary": summary_of(changes)}
    return render_page("diff.html", context, ("similarity.css", "changes.css"))


def _sides(place: Place, rubric: Path | None) -> Mapping[str, Side]:
    """Return who → grading; of one report, the only entry is called as the submission is."""
    if place.is_batch and place.batch is not None:
        return {
            student: Side(report, _fingerprint(place.batch, graded.handin.key))
            for graded in load_batch(place.batch).graded
            for student, report in graded.reports.items()
        }
    report = score_place(place, rubric)
    fingerprint = _fingerprint(place.batch, place.key) if place.batch else {}
    return {report.evidence.submission.name: Side(report, fingerprint)}


def _names(place: Place) -> Mapping[str, str]:
    """Return id → name of everybody in a batch; empty for one report."""
    if not place.is_batch or place.batch is None:
        return {}
    return {student.id: student.name for student in all_students(read_record(place.batch.roster, Roster))}


def _fingerprint(store: Store, key: str) -> Mapping[str, str]:
    """Return what the evidence was made from; empty where that is not known any more."""
    done = read_done(store, key)
    return done.fingerprint if done else {}
