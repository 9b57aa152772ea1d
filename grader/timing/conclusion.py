"""Decide what samples of times mean under a threshold, and say it in words."""

import math
from typing import Any

from grader.model import Finding, Outcome, Threshold, Timed, Verdict
from grader.timing import verdict

REACHABLE, EASILY_REACHABLE = 1.25, 1.5
"""How many times the threshold a call must reach that only copies: below the first factor, nobody fails; below the
second, staff are warned. A kernel, its launch and further copies need the rest."""


def conclude(threshold: Threshold, fact: Any, hint: str = "", copying_s: Any = None) -> Verdict | None:
    """Return what the samples in `fact` decide, `None` if it does not have the form of samples.

    Args:
        threshold: The bound, the clamp, and how certain a verdict must be.
        fact: Samples as `verdict.read_samples` understands them.
        hint: The check's hint for the student about these times.
        copying_s: The time of plain copies of a call's numbers here, if it was measured. On a server on which they
            leave too little time for the rest, nobody fails.
    """
    samples = verdict.read_samples(fact)
    if samples is None:
        return None
    ratio = verdict.judge(samples, threshold.timed or Timed())
    measured, needed = _words(threshold, ratio)
    shown = ratio.shown if math.isfinite(ratio.shown[1]) else None
    if ratio.decision(threshold) is None:
        return Verdict(Outcome.INCONCLUSIVE, _undecided(ratio, measured, needed), shown)
    if ratio.decision(threshold):
        return Verdict(Outcome.PASSED, Finding(f"{measured}, {needed}.", hint=hint), shown)
    reach = verdict.find_reach(samples, copying_s)
    if reach < REACHABLE * threshold.bound:
        got = f"plain copies of the numbers alone allow {_number(reach)} at most"
        finding = Finding(f"{measured}, {needed}: this server cannot reach it.", got=got, hint=_ELSEWHERE)
        return Verdict(Outcome.INCONCLUSIVE, finding, shown)
    return Verdict(Outcome.FAILED, Finding(f"{measured}, {needed}.", hint=hint), shown)


def _undecided(ratio: verdict.Ratio, measured: str, needed: str) -> Finding:
    if not math.isfinite(ratio.sure[1]):
        got = f"{ratio.blocks} blocks of samples; {verdict.FIRST_LOOK} are the least that can decide"
        return Finding(f"{measured}, {needed}: too few samples to decide.", got=got, hint=_NEXT)
    low, high = (_number(end) for end in ratio.sure)
    got = f"between {low} and {high} at the certainty that points need"
    return Finding(f"{measured}, {needed}: too close to decide.", got=got, hint=_NEXT)


_NEXT = "No point is lost: a TA looks at the samples, or measures again."
_ELSEWHERE = "No point is lost: grade again on a server that copies faster, or let a TA decide."


def _words(threshold: Threshold, ratio: verdict.Ratio) -> tuple[str, str]:
    """Return what was measured and what is needed: `Speed-up 172 (95 % interval 168 to 177)`, `needed 40`."""
    quantity = threshold.fact.replace("speedup", "speed-up").replace("_", " ").capitalize()
    low, high = ratio.shown
    interval = f" (95 % interval {_number(low)} to {_number(high)})" if math.isfinite(high) else ""
    needed = f"needed {'more than ' if threshold.above is not None else ''}{threshold.bound:g}"
    return f"{quantity} {_number(ratio.value)}{interval}", needed


def _number(value: float) -> str:
    """Return `value` with three digits, or with all digits before the point if there are more."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"  # noqa: PLR2004 - three digits stand before the point
