"""What samples of times mean under a threshold, in a reader's words."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from grader.model import Finding, Outcome, Threshold, Timed
from grader.timing import verdict
from grader.timing.statistics import Bounds


@dataclass(frozen=True, slots=True)
class Conclusion:
    """An outcome with its sentence, and the interval that a report draws."""

    outcome: Outcome
    finding: Finding
    shown: Bounds | None = None
    """95 % interval; `None` where there are too few samples for one."""


def conclude(threshold: Threshold, fact: Any, hint: str = "") -> Conclusion | None:
    """Return what the samples in `fact` decide, `None` if they are of no form that could decide anything.

    Args:
        threshold: What is demanded; the clamp, and how sure a verdict has to be.
        fact: Samples as `verdict.read_samples` understands them.
        hint: What the check tells the student about these times.
    """
    samples = verdict.read_samples(fact)
    if samples is None:
        return None
    ratio = verdict.judge(samples, threshold.timed or Timed())
    measured, needed = _words(threshold, ratio)
    shown = ratio.shown if math.isfinite(ratio.shown[1]) else None
    if ratio.decision(threshold) is None:
        return Conclusion(Outcome.INCONCLUSIVE, _undecided(ratio, measured, needed), shown)
    outcome = Outcome.PASSED if ratio.decision(threshold) else Outcome.FAILED
    return Conclusion(outcome, Finding(f"{measured}, {needed}.", hint=hint), shown)


def _undecided(ratio: verdict.Ratio, measured: str, needed: str) -> Finding:
    if not math.isfinite(ratio.sure[1]):
        got = f"{ratio.blocks} blocks of samples; {verdict.FIRST_LOOK} are the least that can decide"
        return Finding(f"{measured}, {needed}: too few samples to decide.", got=got, hint=_NEXT)
    low, high = (_number(end) for end in ratio.sure)
    got = f"between {low} and {high} at the certainty that points need"
    return Finding(f"{measured}, {needed}: too close to decide.", got=got, hint=_NEXT)


_NEXT = "No point is lost: a TA looks at the samples, or measures again."


def _words(threshold: Threshold, ratio: verdict.Ratio) -> tuple[str, str]:
    """Return what was measured and what is needed: `Speed-up 172 (95 % interval 168 to 177)`, `needed 40`."""
    quantity = threshold.fact.replace("speedup", "speed-up").replace("_", " ").capitalize()
    low, high = ratio.shown
    interval = f" (95 % interval {_number(low)} to {_number(high)})" if math.isfinite(high) else ""
    needed = f"needed {'more than ' if threshold.above is not None else ''}{threshold.bound:g}"
    return f"{quantity} {_number(ratio.value)}{interval}", needed


def _number(value: float) -> str:
    """Return `value` with three digits, or all of them before the point."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"  # noqa: PLR2004 - three digits stand before the point
