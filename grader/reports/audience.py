"""Removes from a report what students may not see, before a template gets it, so that nothing of it can leak.

part of the report                  what students see of it
a check that is not `visible`       its points, under a neutral name
a check where the grader failed     the sentence that the grader failed; no message, no traceback
any check                           no flags, because flags are questions for a TA
the run                             no seed, no notes about the machine
"""

from collections.abc import Mapping
from dataclasses import replace

from grader.model import Criterion, Finding, Observation, Outcome, Report, Result

VISIBLE = "visible"
OUR_FAULT = Finding(
    "The grader failed here, not your submission.",
    hint="There is nothing for you to do: the points stay undecided until the course staff has graded again.",
)
HIDDEN_NEED = Finding("A hidden check that this one needs did not pass.")
_WHEN = {
    "after_due_date": "This check is shown after the due date.",
    "after_published": "This check is shown when grades are published.",
}


def for_students(report: Report) -> Report:
    """Return `report` as its student may see it: with the same points, without hidden parts."""
    hidden = [row for row in report.rubric.criteria if row.visibility != VISIBLE]
    names = {row.id: f"hidden.{number}" for number, row in enumerate(hidden, start=1)}
    results = tuple(_reduce(result, names) for result in report.results)
    ran = report.evidence.by_check
    pairs = zip(report.results, results, strict=True)
    observations = tuple(shown.observation for result, shown in pairs if result.criterion.id in ran)
    run = replace(report.evidence.run, seed=0, notes=())
    evidence = replace(report.evidence, run=run, observations=observations)
    adjustments = tuple(replace(each, by="") for each in report.adjustments)
    comments = tuple(replace(each, by="") for each in report.comments)
    rubric = replace(report.rubric, criteria=tuple(_row(row, names) for row in report.rubric.criteria))
    report = replace(report, adjustments=adjustments, comments=comments)
    return replace(report, rubric=rubric, evidence=evidence, results=results)


def _row(row: Criterion, names: Mapping[str, str]) -> Criterion:
    """Return a row of the rubric without the names of hidden rows."""
    if row.id not in names:
        return replace(row, needs=tuple(need for need in row.needs if need not in names))
    return Criterion(names[row.id], row.part, row.points, row.visibility)


def _reduce(result: Result, names: Mapping[str, str]) -> Result:
    row = _row(result.criterion, names)
    if result.criterion.id in names:
        sentence = _WHEN.get(row.visibility, "This check is hidden.")
        observation = Observation(row.id, sentence, result.outcome)
        return replace(result, criterion=row, observation=observation, finding=None, mark=None)
    observation, finding = replace(result.observation, flags=()), result.finding
    if result.outcome is Outcome.ERROR:
        observation, finding = Observation(observation.check, observation.sentence, observation.outcome), OUR_FAULT
    elif result.outcome is Outcome.SKIPPED and len(row.needs) < len(result.criterion.needs):
        finding = HIDDEN_NEED
    mark = replace(result.mark, by="", at=None) if result.mark else None
    observation = replace(observation, finding=finding)
    return replace(result, criterion=row, observation=observation, finding=finding, mark=mark)
