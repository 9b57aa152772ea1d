"""Everything that has to be true of an assignment before students see it, tried one after the other.

reference    keeps every point that this machine can decide, without a flag
template     gets none
mistakes     each declared one loses what it says and nothing else
cheats       none of the general kind goes through unseen
kit          the handout checks template and reference with its own wheel

`run_trials` yields what came of each.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from grader.assignment import Assignment
from grader.errors import GraderError, UsageError
from grader.grading import Options, grade
from grader.kit.handout import make_handout
from grader.kit.settings import load_settings
from grader.model import Outcome, Report, Result
from grader.trial.changes import Change, load_changes, one_per_file
from grader.trial.cheats import make_cheats
from grader.trial.kit import try_kit


@dataclass(frozen=True, slots=True)
class Trial:
    """What was tried, and what is wrong with it; nothing if `problem` is empty."""

    what: str
    problem: str = ""
    seen: str = ""
    """What is worth knowing of a trial that went well."""


def reference_files(assignment: Assignment) -> dict[str, bytes]:
    """Return the files of the staff's solution that are handed in; none if it is not here."""
    return {
        name: (assignment.reference / name).read_bytes()
        for name in assignment.files
        if (assignment.reference / name).is_file()
    }


def run_trials(assignment: Assignment, options: Options) -> Iterator[Trial]:
    """Yield each trial when it is over.

    Raises:
        UsageError: there is no reference.
    """
    files = reference_files(assignment)
    if not files:
        msg = f"there is no reference in {assignment.reference}: put your own solution there"
        raise UsageError(msg)
    right = grade(assignment.reference, assignment, options)
    yield _judge_reference(right)
    yield _judge_template(grade(assignment.template, assignment, options))
    for group in one_per_file(load_changes(assignment.mistakes, assignment.reference)):
        report = _grade_changed(assignment, files, group, options)
        yield _judge_mistakes(group, right, report)
    for cheat in make_cheats(assignment.graded, _texts(files)):
        report = _grade_changed(assignment, files, [cheat], replace(options, only=_checks_of(assignment, cheat)))
        yield _judge_cheat(cheat, right, report)
    yield _try_handout(assignment, files)


def _judge_reference(report: Report) -> Trial:
    allowed = {Outcome.PASSED, Outcome.NOT_MEASURED}
    bad = [
        f"{result.criterion.id} ({result.outcome}): {result.finding.message if result.finding else ''}"
        for result in report.results
        if result.outcome not in allowed and not result.criterion.marked_by
    ]
    bad += [f"{check} is flagged: {reason}" for check, reason in report.flags]
    return Trial("the reference keeps every point", "; ".join(bad), report.score_text)


def _judge_template(report: Report) -> Trial:
    given = [result.criterion.id for result in report.results if result.points_high > 0]
    return Trial("the template gets none", f"points are there for {', '.join(given)}" if given else "")


def _judge_mistakes(group: Iterable[Change], right: Report, report: Report) -> Trial:
    expected = {check: loss for change in group for check, loss in change.losses().items()}
    lost = find_losses(right, report)
    wrong = sorted(check for check in {*expected, *lost} if expected.get(check) != lost.get(check))
    told = (f"{check} is {lost.get(check, 'passed')}, not {expected.get(check, 'passed')}" for check in wrong)
    names = "; ".join(f"{change.target}: {change.sentence}" for change in group)
    return Trial(f"mistake: {names}", "; ".join(told), f"costs {', '.join(sorted(lost)) or 'nothing'}")


def _judge_cheat(cheat: Change, right: Report, report: Report) -> Trial:
    lost = find_losses(right, report, only={result.criterion.id for result in report.results if _ran(result)})
    flagged = {check for check, _reason in report.flags}
    seen = "; ".join(filter(None, [f"costs {', '.join(lost)}" if lost else "", "flagged" if flagged else ""]))
    problem = "" if seen else "no check minds: let one with points ask how the function works (no `values_only`)"
    return Trial(f"cheat: {cheat.sentence.rstrip('.')}", problem, seen)


def find_losses(right: Report, report: Report, only: Iterable[str] | None = None) -> dict[str, str]:
    """Return check -> outcome of what has points and is not as in the `right` report; `partly` for a share of points.

    `only`: the checks to look at, by default all.
    """
    before = {result.criterion.id: result.outcome for result in right.results}
    chosen = set(before) if only is None else {*only}
    return {
        result.criterion.id: "partly" if result.is_partly_right else str(result.outcome)
        for result in report.results
        if result.criterion.points and result.criterion.id in chosen
        if result.outcome is not before[result.criterion.id]
    }


def _ran(result: Result) -> bool:
    return bool(result.observation.sentence)


def _grade_changed(assignment: Assignment, files: Mapping[str, bytes], group: list[Change], options: Options) -> Report:
    limit_s = min(change.limit_s for change in group)
    limits = replace(options.limits, load_s=limit_s, call_s=limit_s)
    with tempfile.TemporaryDirectory(prefix="grader-trial-") as temporary:
        for name, data in {**files, **{change.target: change.applied() for change in group}}.items():
            Path(temporary, name).write_bytes(data)
        return grade(Path(temporary), assignment, replace(options, limits=limits))


def _checks_of(assignment: Assignment, change: Change) -> tuple[str, ...]:
    """Return the checks with points that look at the changed file."""
    settings = load_settings(assignment)
    rows = (row.id for row in assignment.rubric.criteria if row.points)
    return tuple(check for check in rows if change.target in settings.files_of(check))


def _texts(files: Mapping[str, bytes]) -> dict[str, str]:
    return {name: data.decode("utf-8") for name, data in files.items() if name.endswith(".py")}


def _try_handout(assignment: Assignment, files: Mapping[str, bytes]) -> Trial:
    what = "the handout checks template and reference with its own wheel"
    with tempfile.TemporaryDirectory(prefix="grader-trial-") as temporary:
        try:
            made = make_handout(load_settings(assignment), assignment.template, Path(temporary))
            try_kit(made, assignment.name, files)
        except GraderError as error:  # the trial's result, told beside the others
            return Trial(what, str(error))
    return Trial(what)
