"""Compute points from evidence and rubric; besides this module, only marks of people change points.

All functions depend on their arguments only, so old evidence can be scored again under a new rubric. The rules:

    passed          all points, unless a threshold on a fact says otherwise
    failed          the share of the points that the check gave, usually none
    skipped         no points
    anything else   undecided: the score becomes a range from 0 to the row's points, never a quiet zero

If a check kept raw samples of times, the measured interval is computed from them here, so a new rubric can change the
clamp and the certainty as well as the bound; the result's facts then have that interval.
"""

import math
import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from graphlib import TopologicalSorter
from typing import Any

from grader.errors import StaffError
from grader.model import Criterion, Evidence, Finding, Observation, Outcome, Report, Result, Rubric, Threshold, Verdict
from grader.scoring.rubric import repeated

_LOST = frozenset({Outcome.FAILED, Outcome.SKIPPED})


def score(evidence: Evidence, rubric: Rubric) -> Report:
    """Return the report on `evidence` under `rubric`.

    Observations without a row in the rubric are left out: the rubric decides what counts. It must be one that
    `load_rubric` accepts: its needs exist and form no cycle.

    Raises:
        StaffError: the evidence has two observations of one check.
    """
    results = _refused(evidence, rubric) if evidence.refusal else _judged(evidence, rubric)
    return Report(
        rubric=rubric,
        evidence=evidence,
        results=results,
        score_low=math.fsum(result.points_low for result in results),
        score_high=math.fsum(result.points_high for result in results),
    )


def _judged(evidence: Evidence, rubric: Rubric) -> tuple[Result, ...]:
    """Return one result per row, in the rubric's order."""
    if twice := repeated(observation.check for observation in evidence.observations):
        raise StaffError(f"The evidence holds two observations of {twice}: grade the submission again.")
    observed = evidence.by_check
    text = "This check did not run this time, so its points are undecided."
    unknown = Observation("", "", Outcome.NOT_MEASURED, Finding(text, hint="Run all checks to decide it."))
    seen = [(row, observed.get(row.id) or replace(unknown, check=row.id)) for row in rubric.criteria]
    device = evidence.run.device
    return apply_needs(_result(row, observation, _judge(row, observation, device)) for row, observation in seen)


def apply_needs(results: Iterable[Result]) -> tuple[Result, ...]:
    """Return `results` with the needs between checks applied: a check is skipped if one that it needs is lost.

    A check is lost if it failed or was skipped. A new threshold, or a mark, may change that after the checks that need
    it were run or skipped: a check that was skipped, and whose needs are not lost now, is undecided. Marks stay.
    """
    decided = {result.criterion.id: result for result in results}
    for check in TopologicalSorter({check: result.criterion.needs for check, result in decided.items()}).static_order():
        decided[check] = _apply_own_needs(decided[check], decided)
    return tuple(decided.values())


def _apply_own_needs(result: Result, others: Mapping[str, Result]) -> Result:
    row = result.criterion
    lost = [check for check in row.needs if others[check].outcome in _LOST]
    if result.mark is not None:
        return result
    if lost and result.outcome not in _LOST:
        finding = Finding(f"It needs {', '.join(lost)}, which did not pass.", hint=f"Repair {lost[0]} first.")
        return replace(result, outcome=Outcome.SKIPPED, points_low=0.0, points_high=0.0, finding=finding)
    if not lost and result.outcome is Outcome.SKIPPED:
        finding = Finding("No failed check keeps it from running now.", hint="Grade the submission again to decide it.")
        return replace(result, outcome=Outcome.INCONCLUSIVE, points_high=row.points, finding=finding)
    return result


def _judge(row: Criterion, observation: Observation, device: str) -> Verdict:
    """Return what `observation` means for `row`, without its needs."""
    outcome, finding = observation.outcome, observation.finding
    if row.hardware == "gpu" and device != "gpu" and outcome in {Outcome.PASSED, Outcome.FAILED}:
        return Verdict(Outcome.NOT_MEASURED, Finding("Only a machine with a GPU can decide this check."))
    if outcome is Outcome.PASSED and row.threshold is not None:
        return _apply(row.threshold, observation)
    if outcome is Outcome.PASSED and row.marked_by == "ta":
        parts = "; ".join(f"{text} ({points:g})" for text, points in row.items.items())
        message = (
            "A TA reads this part and gives the points." if row.points else "A TA may read this part: it has no points."
        )
        return Verdict(Outcome.INCONCLUSIVE, Finding(message, parts))
    return Verdict(outcome, finding)


def _apply(threshold: Threshold, observation: Observation) -> Verdict:
    """Return what the fact decides; a fact that is missing or not a number is the grader's fault."""
    hint = observation.finding.hint if observation.finding else ""
    if (concluded := _conclude(threshold, observation.facts, hint)) is not None:
        return concluded
    bounds = _interval(observation.facts.get(threshold.fact))
    if bounds is None:
        text = f"The measured value {threshold.fact} is missing or not a finite number, so nothing was decided."
        return Verdict(Outcome.ERROR, Finding(text, hint="This is the grader's fault: tell the course staff."))
    low, high = bounds
    if threshold.is_reached_by(low):
        return Verdict(Outcome.PASSED, observation.finding)
    quantity, needed, got = _words(threshold, low, high)
    if threshold.is_reached_by(high):
        text = f"The {quantity} was measured, and the threshold lies within the measurement's uncertainty."
        return Verdict(Outcome.INCONCLUSIVE, Finding(text, needed, got, hint="A TA looks at the samples."))
    return Verdict(Outcome.FAILED, Finding(f"The {quantity} has to be {needed}, and is not.", needed, got, hint))


def _conclude(threshold: Threshold, facts: Mapping[str, Any], hint: str) -> Verdict | None:
    """Return what raw samples of times decide, `None` if there are none."""
    if (samples := facts.get(threshold.samples_fact)) is None:
        return None
    from grader.timing.verdict import conclude  # noqa: PLC0415 - statistics, which only timed checks should pay for

    gpu = facts.get("gpu")
    return conclude(threshold, samples, hint, gpu.get("copying_s") if isinstance(gpu, Mapping) else None)


def _interval(fact: Any) -> tuple[float, float] | None:
    """Return a number or `[low, high]` as a pair of finite numbers in order, `None` for everything else."""
    values = fact if isinstance(fact, list | tuple) else (fact, fact)
    if len(values) != 2 or not all(map(_is_finite, values)):  # noqa: PLR2004 - an interval has two ends
        return None
    low, high = map(float, values)
    return (low, high) if low <= high else None


def _is_finite(value: Any) -> bool:
    """Return whether `value` is a number that a float can hold; integers may be larger than that."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


def _words(threshold: Threshold, low: float, high: float) -> tuple[str, str, str]:
    """Return, in words, the quantity, what is needed of it and what was measured."""
    unit = " %" if threshold.fact.endswith("_percent") else ""
    quantity = threshold.fact.removesuffix("_percent").replace("_", " ")
    got = f"{low:.4g}" if low == high else f"between {low:.4g} and {high:.4g}"
    return quantity, threshold.words + unit, got + unit


def _result(row: Criterion, observation: Observation, verdict: Verdict) -> Result:
    lost = round(row.points * observation.share, 2) if verdict.outcome is Outcome.FAILED else 0.0
    if row.threshold is not None and verdict.measured is not None:
        observation = replace(observation, facts={**observation.facts, row.threshold.fact: list(verdict.measured)})
    return Result(
        criterion=row,
        observation=observation,
        outcome=verdict.outcome,
        points_low=row.points if verdict.outcome is Outcome.PASSED else lost,
        points_high=lost if verdict.outcome in _LOST else row.points,
        finding=verdict.finding,
    )


def _refused(evidence: Evidence, rubric: Rubric) -> tuple[Result, ...]:
    """Return every row undecided, and one flag: a TA looks at a file that no program may open."""
    finding = Finding(evidence.refusal, hint="No point is lost yet: a TA looks at the file and decides.")
    verdict = Verdict(Outcome.INCONCLUSIVE, finding)
    rows = [_result(row, Observation(row.id, "", verdict.outcome, finding), verdict) for row in rubric.criteria]
    flag = (f"The submission was refused without being opened: {evidence.refusal}",)
    rows[-1] = replace(rows[-1], observation=replace(rows[-1].observation, flags=flag))
    return tuple(rows)
