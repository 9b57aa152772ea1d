"""Compute intervals and verdicts from samples and rubric: so old evidence is judged again without running code.

The graded ratio is not `slow / fast`: a submission has both functions, so a needlessly slow one would be rewarded. The
time of `slow` is clamped between the two numbers of `Timed.baseline` times that of the staff's baseline:

    graded = clamp(slow, low * baseline, high * baseline) / fast

Each of `slow / fast` and `baseline / fast` has an interval by ranks (see `statistics`); the clamped ends are the
interval of the graded ratio. Sampling looks several times whether that interval is clear of the threshold. Each look is
one more chance of an error, so the share of errors that the rubric allows is divided by `_LOOKS`. The looks grow
geometrically, so a usual budget has no more looks; `make simulate-noise` measures the real share of errors.

For a verdict, two intervals must be clear of the threshold: the one by ranks, at that strict level, and the 95 %
bootstrap interval that reports show. `conclude` says it in words.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.model import Finding, Outcome, Threshold, Timed, Verdict
from grader.timing.statistics import Bounds, Floats, block_medians, bootstrap_clamped, bound_median, clamped_median

SLOW, BASELINE, FAST = "slow", "baseline", "fast"
SHOWN_CONFIDENCE = 0.95
FIRST_LOOK = 9
"""Blocks before the first look: with fewer, an interval by ranks errs more often than once in 100, in three looks."""
_LOOKS = 3

Samples = Mapping[str, Sequence[Sequence[float]]]
"""Role -> block -> seconds of each call. `fast` has all blocks; the others may end earlier, if they decide nothing
any more, and `slow` may be missing: then the lower number of `Timed.baseline` times the baseline counts."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """A graded ratio of times: its value, the interval that reports show, and the interval that decides."""

    value: float
    shown: Bounds  # 95 % bootstrap interval
    sure: Bounds  # interval by ranks, at the level at which wrong verdicts are as rare as the rubric demands
    blocks: int

    def decision(self, threshold: Threshold) -> bool | None:
        """Return whether the threshold is reached, `None` if the intervals do not decide."""
        if threshold.is_reached_by(min(self.shown[0], self.sure[0])):
            return True
        return None if threshold.is_reached_by(max(self.shown[1], self.sure[1])) else False


def judge(samples: Samples, timed: Timed) -> Ratio:
    """Return the graded ratio of `samples`, which have `baseline` and `fast` at least."""
    slow, baseline = _ratios(samples, timed)
    blocks, factors = len(samples[FAST]), timed.baseline
    filled = _fill(slow, blocks), _fill(baseline, blocks)
    return Ratio(
        value=float(clamped_median(*filled, factors)),
        shown=bootstrap_clamped(*filled, factors, SHOWN_CONFIDENCE),
        sure=_sure_bounds(slow, baseline, timed),
        blocks=blocks,
    )


def has_decided(samples: Samples, threshold: Threshold) -> bool:
    """Return whether more samples are needless, because the intervals are clear of the threshold."""
    timed = threshold.timed or Timed()
    low, high = _sure_bounds(*_ratios(samples, timed), timed)
    if not threshold.is_reached_by(low) and threshold.is_reached_by(high):
        return False  # the bootstrap costs a hundred times as much, and could only agree
    return judge(samples, timed).decision(threshold) is not None


def find_needless(samples: Samples, timed: Timed) -> tuple[str, ...]:
    """Return which of `slow` and `baseline` certainly cannot change the graded ratio, so that its calls may end.

    If `slow` is beyond the clamp, its time does not matter; if it is inside, that of `baseline` does not.
    """
    if not samples.get(SLOW):
        return ()
    low, high = bound_median(_pair(samples[SLOW], samples[BASELINE]), _tail(timed))
    least, most = timed.baseline
    if high < least or low > most:
        return (SLOW,)
    return (BASELINE,) if least < low and high < most else ()


def raw_ratios(samples: Samples) -> dict[str, float]:
    """Return the median ratios of `slow` and of `baseline` to `fast`, without any clamp."""
    return {
        role: float(np.median(_pair(samples[role], samples[FAST]))) for role in (SLOW, BASELINE) if samples.get(role)
    }


def find_reach(samples: Samples, copying_s: Any) -> float:
    """Return `baseline` / `copying_s`, the ratio of a call that only copies; infinity if copies were not measured."""
    return float(np.median(block_medians(samples[BASELINE]))) / copying_s if _is_time(copying_s) else math.inf


def read_samples(fact: Any) -> Samples | None:
    """Return a fact of the evidence if it has the form of samples, else `None`.

    The form: each role has at least one block, and no more than `fast`; no block is empty; seconds are positive.
    """
    if not isinstance(fact, Mapping) or not {BASELINE, FAST} <= set(fact) <= {SLOW, BASELINE, FAST}:
        return None
    if not all(map(_are_blocks, fact.values())):
        return None
    return fact if all(len(blocks) <= len(fact[FAST]) for blocks in fact.values()) else None


def _are_blocks(blocks: Any) -> bool:
    if not isinstance(blocks, list | tuple) or not blocks:
        return False
    return all(isinstance(block, list | tuple) and block and all(map(_is_time, block)) for block in blocks)


def _is_time(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < math.inf


def _ratios(samples: Samples, timed: Timed) -> tuple[Floats, Floats]:
    """Return the ratios to `fast` of `slow` and of `baseline`, one per block in which they were called."""
    baseline = _pair(samples[BASELINE], samples[FAST])
    return (_pair(samples[SLOW], samples[FAST]) if samples.get(SLOW) else timed.baseline[0] * baseline), baseline


def _pair(slower: Sequence[Sequence[float]], fast: Sequence[Sequence[float]]) -> Floats:
    """Return the ratio of medians in each block that both have."""
    count = min(len(slower), len(fast))
    ratios: Floats = block_medians(slower[:count]) / block_medians(fast[:count])
    return ratios


def _fill(ratios: Floats, blocks: int) -> Floats:
    """Return `ratios` with their median in place of missing blocks, which could not change the graded ratio."""
    return np.concatenate([ratios, np.full(blocks - len(ratios), np.median(ratios))])


def _sure_bounds(slow: Floats, baseline: Floats, timed: Timed) -> Bounds:
    ends = zip(bound_median(slow, _tail(timed)), bound_median(baseline, _tail(timed)), strict=True)
    least, most = timed.baseline
    low, high = (min(max(own, least * staff), most * staff) for own, staff in ends)
    return low, high


def _tail(timed: Timed) -> float:
    """Return the allowed chance of an error at one end of one interval in one look."""
    return timed.error_percent / 100 / _LOOKS


REACHABLE, EASILY_REACHABLE = 1.25, 1.5
"""How many times the threshold a call must reach that only copies: below the first factor, nobody fails; below the
second, staff are warned. A kernel, its launch and further copies need the rest."""


def conclude(threshold: Threshold, fact: Any, hint: str = "", copying_s: Any = None) -> Verdict | None:
    """Return what the samples in `fact` decide, `None` if it does not have the form of samples.

    Args:
        threshold: The bound, the clamp, and how certain a verdict must be.
        fact: Samples as `read_samples` understands them.
        hint: The check's hint for the student about these times.
        copying_s: The time of plain copies of a call's numbers here, if it was measured. On a server on which they
            leave too little time for the rest, nobody fails.
    """
    samples = read_samples(fact)
    if samples is None:
        return None
    ratio = judge(samples, threshold.timed or Timed())
    measured, needed = _words(threshold, ratio)
    shown = ratio.shown if math.isfinite(ratio.shown[1]) else None
    if ratio.decision(threshold) is None:
        return Verdict(Outcome.INCONCLUSIVE, _undecided(ratio, measured, needed), shown)
    if ratio.decision(threshold):
        return Verdict(Outcome.PASSED, Finding(f"{measured}, {needed}.", hint=hint), shown)
    reach = find_reach(samples, copying_s)
    if reach < REACHABLE * threshold.bound:
        got = f"plain copies of the numbers alone allow {_number(reach)} at most"
        finding = Finding(f"{measured}, {needed}: this server cannot reach it.", got=got, hint=_ELSEWHERE)
        return Verdict(Outcome.INCONCLUSIVE, finding, shown)
    return Verdict(Outcome.FAILED, Finding(f"{measured}, {needed}.", hint=hint), shown)


def _undecided(ratio: Ratio, measured: str, needed: str) -> Finding:
    if not math.isfinite(ratio.sure[1]):
        got = f"{ratio.blocks} blocks of samples; {FIRST_LOOK} are the least that can decide"
        return Finding(f"{measured}, {needed}: too few samples to decide.", got=got, hint=_NEXT)
    low, high = (_number(end) for end in ratio.sure)
    got = f"between {low} and {high} at the certainty that points need"
    return Finding(f"{measured}, {needed}: too close to decide.", got=got, hint=_NEXT)


_NEXT = "No point is lost: a TA looks at the samples, or measures again."
_ELSEWHERE = "No point is lost: grade again on a server that copies faster, or let a TA decide."


def _words(threshold: Threshold, ratio: Ratio) -> tuple[str, str]:
    """Return what was measured and what is needed: `Speed-up 172 (95 % interval 168 to 177)`, `needed 40`."""
    quantity = threshold.fact.replace("speedup", "speed-up").replace("_", " ").capitalize()
    low, high = ratio.shown
    interval = f" (95 % interval {_number(low)} to {_number(high)})" if math.isfinite(high) else ""
    needed = f"needed {'more than ' if threshold.above is not None else ''}{threshold.bound:g}"
    return f"{quantity} {_number(ratio.value)}{interval}", needed


def _number(value: float) -> str:
    """Return `value` with three digits, or with all digits before the point if there are more."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"  # noqa: PLR2004 - three digits stand before the point
