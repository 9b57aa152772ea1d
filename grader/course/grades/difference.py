"""What changed between two gradings, per student and check, and why.

    old evidence + old rubric  →  old evidence + new rubric  →  new evidence + new rubric  →  + marks, late days
                           the rubric               zip, environment, timing, seed        people

Each step that changes the result is a reason. If the evidence differs, every recorded difference between the gradings
is listed, because no program can tell which one is the cause. If there is none, the cause is the seed or chance.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path

from grader.course.grades.graded import load_batch, why_ungraded
from grader.course.grades.rescoring import Place, find_place, score_place
from grader.course.job import read_done
from grader.course.model import Store, read_record
from grader.course.people import Roster, all_students
from grader.course.running import WORDS
from grader.errors import UsageError
from grader.intake.tables import csv_bytes, defused
from grader.model import Adjustment, Criterion, Evidence, Outcome, Report, Result, printable
from grader.reports.html import render_page
from grader.reports.story import counted, fact_text, range_text
from grader.scoring.marks import LATE
from grader.scoring.score import score

SCORE = "score"
_NOTHING = "-"
_CODE_PARTS = ("checks", "grader")


@dataclass(frozen=True, slots=True)
class Side:
    """One student's grading on one of the two sides, old or new."""

    report: Report
    fingerprint: Mapping[str, str] = field(default_factory=dict)  # the grading's inputs as digests; empty if unknown


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between the two sides."""

    student: str
    check: str  # a check's id, `score`, `late` or `adjustment`
    before: str
    after: str
    reasons: tuple[str, ...] = ()
    name: str = ""  # the student's name; empty if no batch has it


def compare(student: str, old: Side | None, new: Side | None) -> Iterator[Change]:
    """Yield the changes for `student`: the score first, then each check, then lateness and adjustments.

    A side is None if the student has no grading there.
    """
    if old is None or new is None:
        if old is not new:
            why = "was graded on one side only: handed in, left out or unreadable on the other"
            yield Change(student, SCORE, _score_text(old), _score_text(new), (why,))
        return
    parts = [*_changed_checks(student, old, new), *_changed_adjustments(student, old.report, new.report)]
    if _score_text(old) != _score_text(new):
        reasons = tuple(dict.fromkeys(reason.partition(":")[0] for change in parts for reason in change.reasons))
        yield Change(student, SCORE, _score_text(old), _score_text(new), reasons)
    yield from parts


def evidence_reasons(old: Side, new: Side, row: Criterion) -> tuple[str, ...]:
    """Return possible reasons why the evidence of `row` differs, the most likely first."""
    before, after = old.report.evidence, new.report.evidence
    if selected := _selection_reason(before, after, row.id):
        return (selected,)
    seen = (("old", before.by_check.get(row.id)), ("new", after.by_check.get(row.id)))
    errors = (side for side, observation in seen if observation and observation.outcome is Outcome.ERROR)
    reasons = [f"error: the grader failed on the {side} side, which is no fault of the student" for side in errors][:1]
    if why_ungraded(before) or why_ungraded(after):
        return tuple(reasons)
    reasons += [*_submission_reasons(before, after), *_run_reasons(before, after)]
    known = (part for part in _CODE_PARTS if part in old.fingerprint and part in new.fingerprint)
    reasons += [f"grader version: {WORDS[part]}" for part in known if old.fingerprint[part] != new.fingerprint[part]]
    if not reasons:
        reasons += _measured_reasons(before, after, row)
    if not reasons and before.run.seed != after.run.seed:
        reasons.append("seed: other random inputs, and nothing else that is recorded differs")
    return tuple(reasons or ["chance: nothing that is recorded differs, not even the seed; grade it again"])


def _changed_checks(student: str, old: Side, new: Side) -> Iterator[Change]:
    before, after = _by_check(old.report), _by_check(new.report)
    at_first = _by_check(score(old.report.evidence, old.report.rubric))  # all three without marks
    rescored = _by_check(score(old.report.evidence, new.report.rubric))
    regraded = _by_check(score(new.report.evidence, new.report.rubric))
    for check in dict.fromkeys((*after, *before)):
        was, now = before.get(check), after.get(check)
        if _shown(was) != _shown(now):
            steps = [_shown(step.get(check)) for step in (at_first, rescored, regraded)]
            yield Change(student, check, _shown(was), _shown(now), _reasons(old, new, was, now, steps))


def _reasons(old: Side, new: Side, was: Result | None, now: Result | None, steps: Sequence[str]) -> tuple[str, ...]:
    """Return why a result changed; `steps` are the first three stages in the module's docstring, for this check."""
    if was is None or now is None:
        return ("rubric: the check is new" if was is None else "rubric: the check is gone",)
    if marked := _mark_reason(was, now):
        return (marked,)
    at_first, rescored, regraded = steps
    reasons = []
    if at_first != rescored:
        reasons.append(_rubric_reason(was.criterion, now.criterion))
    if rescored != regraded:
        reasons += evidence_reasons(old, new, now.criterion)
    of_all = "the first one of a refused hand-in decides every check"
    why = of_all if new.report.evidence.refusal else "that of a check that this one needs is another now"
    return tuple(reasons or [f"mark: {why}"])


def _mark_reason(was: Result, now: Result) -> str:
    if now.mark and (was.mark is None or was.mark.points != now.mark.points):
        comment = f" ({now.mark.comment})" if now.mark.comment else ""
        return f"mark: {now.mark.by or 'somebody'} gave {counted(now.mark.points, 'point')}{comment}"
    if was.mark and now.mark is None:
        return f"mark: that of {was.mark.by or 'somebody'}, {counted(was.mark.points, 'point')}, is not there any more"
    return ""


def _rubric_reason(old: Criterion, new: Criterion) -> str:
    if old.points != new.points:
        return f"rubric: {counted(old.points, 'point')} became {new.points:g}"
    if old.threshold != new.threshold:
        was, now = (row.threshold.words if row.threshold else "none" for row in (old, new))
        return f"rubric: the threshold was {was} and is {now}"
    names = [name for name in ("needs", "hardware", "marked_by") if getattr(old, name) != getattr(new, name)]
    return f"rubric: {', '.join(names)} changed" if names else "rubric: a check that this one needs is judged otherwise"


def _submission_reasons(before: Evidence, after: Evidence) -> Iterator[str]:
    """Yield a reason if files or the refusal differ; the same files in another zip are no difference."""
    was = {file.name: file.sha256 for file in before.submission.files}
    now = {file.name: file.sha256 for file in after.submission.files}
    names = sorted(name for name in was.keys() | now.keys() if was.get(name) != now.get(name))
    if names or before.refusal != after.refusal:
        yield "zip: another hand-in" + (f", {', '.join(names)} differ" if names else "")


def _run_reasons(before: Evidence, after: Evidence) -> Iterator[str]:
    for what in ("device", "data", "sandbox"):
        was, now = getattr(before.run, what), getattr(after.run, what)
        if was != now:
            yield f"environment: {what} {was!r} became {now!r}"
    if changed := _changed_entries(before.run.hardware, after.run.hardware):
        yield f"environment: {changed}"
    if versions := _changed_entries(before.run.versions, after.run.versions):
        yield f"{'grader version' if versions.startswith('grader ') else 'environment'}: {versions}"


def _changed_entries(was: Mapping[str, str], now: Mapping[str, str]) -> str:
    names = sorted(was.keys() | now.keys(), key=lambda name: (name != "grader", name))
    pairs = ((name, was.get(name, "none"), now.get(name, "none")) for name in names)
    return ", ".join(f"{name} {old} became {new}" for name, old, new in pairs if old != new)


def _selection_reason(before: Evidence, after: Evidence, check: str) -> str:
    """Return on which side the check did not run; empty if it ran on both or neither, or a file was refused."""
    ran = [check in evidence.by_check for evidence in (before, after)]
    if all(ran) or not any(ran) or before.refusal or after.refusal:
        return ""
    return f"selection: the check did not run on the {'new' if ran[0] else 'old'} side"


def _measured_reasons(before: Evidence, after: Evidence, row: Criterion) -> Iterator[str]:
    """Yield how the measured value changed, if the rubric has a threshold for it."""
    if row.threshold is None:
        return
    fact = row.threshold.fact
    observations = (evidence.by_check.get(row.id) for evidence in (before, after))
    was, now = (fact_text(observation.facts.get(fact) if observation else None) for observation in observations)
    if was != now:
        yield f"{'timing' if row.hardware else 'seed'}: {fact.replace('_', ' ')} was {was} and is {now}"


def _changed_adjustments(student: str, old: Report, new: Report) -> Iterator[Change]:
    was, now = ({entry.what: entry for entry in report.adjustments} for report in (old, new))
    late = "late days" if old.rubric.late == new.rubric.late else "rubric"
    for what in dict.fromkeys((*was, *now)):
        before, after = was.get(what), now.get(what)
        if before != after:
            why = after.comment if after else "it is not there any more"
            yield Change(student, what, _moved(before), _moved(after), (f"{late if what == LATE else 'mark'}: {why}",))


def _moved(entry: Adjustment | None) -> str:
    return range_text(*sorted((entry.points_low, entry.points_high))) if entry else _NOTHING


def _by_check(report: Report) -> dict[str, Result]:
    return {result.criterion.id: result for result in report.results}


def _shown(result: Result | None) -> str:
    if result is None:
        return _NOTHING
    points = f"{range_text(result.points_low, result.points_high)} of {result.criterion.points:g}"
    word = "marked" if result.mark else "partly right" if result.is_partly_right else str(result.outcome)
    return f"{points} ({word.replace('_', ' ')})"


def _score_text(side: Side | None) -> str:
    return side.report.score_text if side else _NOTHING


_NAME_LIMIT = 120
_HEAD = ("student", "name", "what", "before", "after", "why")


def compare_paths(old: Path, new: Path, rubrics: tuple[Path | None, Path | None] = (None, None)) -> tuple[Change, ...]:
    """Return what changed between two batches, or between two reports, sorted by student.

    Both paths are batches, or both are reports: a folder with an evidence.json, or that file. A rubric in `rubrics`
    replaces the assignment's rubric for one report. `UsageError` if the paths are not two of a kind; also raises as
    `score_place` and `load_batch`.
    """
    places = find_place(old), find_place(new)
    wholes = [place.whole for place in places if place.whole]
    if len(wholes) == 1:
        raise UsageError(f"one of {old} and {new} is a batch and the other one report: name two of a kind.")
    if wholes and any(rubrics):
        raise UsageError("batches have rubrics of their own: rescore them first, or compare two reports.")
    was, now = (_sides(place, rubric) for place, rubric in zip(places, rubrics, strict=True))
    rosters = [read_record(store.roster, Roster) for store in wholes]
    names = {student.id: student.name for roster in rosters for student in all_students(roster)}
    if not wholes:
        was = dict(zip(now, was.values(), strict=True))  # two reports are compared even if their names differ
    return tuple(
        replace(change, name=names.get(who, ""))
        for who in sorted({*was, *now})
        for change in compare(who, was.get(who), now.get(who))
    )


def summary_of(changes: Sequence[Change]) -> str:
    """Return the numbers of changed students, checks and scores, then the reasons, the most frequent first."""
    if not changes:
        return "Nothing changed."
    students = len({change.student for change in changes})
    checks = [change for change in changes if change.check != SCORE]
    reasons = Counter(reason.partition(":")[0] for change in checks for reason in change.reasons)
    because = ", ".join(f"{reason} {count}" for reason, count in reasons.most_common())
    scores = counted(sum(change.check == SCORE for change in changes), "score")
    why = f" Reasons: {because}." if because else ""
    return f"{counted(students, 'student')}, {counted(len(checks), 'check')} and {scores} changed.{why}"


def diff_text(changes: Sequence[Change]) -> str:
    """Return the changes for a terminal, grouped by student."""
    lines = []
    for student, group in groupby(changes, lambda change: change.student):
        about = list(group)
        lines.append(printable(f"{student}  {about[0].name}".rstrip(), _NAME_LIMIT))
        for change in about:
            is_sum = change.check == SCORE and _NOTHING not in {change.before, change.after}  # its reasons follow
            lines.append(printable(f"  {change.check:<24} {change.before}  ->  {change.after}"))
            lines += [f"      {printable(reason)}" for reason in change.reasons if not is_sum]
    return "\n".join([*lines, summary_of(changes)]) + "\n"


def diff_csv(changes: Sequence[Change]) -> bytes:
    """Return the changes as CSV."""
    rows = ((one.student, one.name, one.check, one.before, one.after, "; ".join(one.reasons)) for one in changes)
    return csv_bytes([_HEAD, *([defused(printable(text)) for text in row] for row in rows)], bom=True)


def diff_page(changes: Sequence[Change], old: Path, new: Path) -> str:
    """Return the changes as one page."""
    context = {"changes": changes, "old": str(old), "new": str(new), "summary": summary_of(changes)}
    return render_page("diff.html", context, ("similarity.css", "changes.css"))


def _sides(place: Place, rubric: Path | None) -> Mapping[str, Side]:
    """Return student → grading; for one report, the only key is the name of the submission."""
    if place.whole:
        return {
            student: Side(report, _fingerprint(place.whole, graded.handin.key))
            for graded in load_batch(place.whole).graded
            for student, report in graded.reports.items()
        }
    report = score_place(place, rubric)
    return {report.evidence.submission.name: Side(report, _fingerprint(place.batch, place.key) if place.batch else {})}


def _fingerprint(store: Store, key: str) -> Mapping[str, str]:
    """Return the inputs of the evidence as digests; empty if they are not known."""
    done = read_done(store, key)
    return done.fingerprint if done else {}
