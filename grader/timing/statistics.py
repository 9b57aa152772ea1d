"""Medians of paired ratios with correct error bars, for few samples and noise of any shape.

Samples come in *blocks*: a block has some calls of every contestant, made within about a second, so a longer slowdown
of the machine slows all of them. The result is the median, over all blocks, of the ratio of medians in a block. It gets
two intervals:

    bootstrap     reports show it, because readers know it
    ranks         it decides, because it errs as rarely as it claims, for any distribution

The interval by ranks inverts the sign test: if more than half of all possible ratios lay above x, then of n only few
would lie below. Its ends are the k-th smallest and the k-th largest ratio, with k from the binomial distribution, as
in `scipy.stats.quantile_test` (Conover, Practical Nonparametric Statistics, 3rd ed., section 3.2). A bootstrap
of ten samples errs more often than it says, and tests that assume symmetric noise err when a machine has two speeds.
"""

import zlib
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Bounds = tuple[float, float]
_RESAMPLES = 2000
_FEWEST_TO_RESAMPLE = 2


def block_medians(blocks: Sequence[Sequence[float]]) -> Floats:
    """Return one number per block, the median of its calls, in the unit of the samples."""
    if len({len(block) for block in blocks}) == 1:
        middle: Floats = np.median(np.array(blocks, dtype=np.float64), axis=1)
        return middle
    return np.array([float(np.median(block)) for block in blocks])


def bound_median(values: Floats, tail: float) -> Bounds:
    """Return (low, high) such that the true median lies below `low` with probability `tail` at most; same for above.

    Values must be independent of each other; nothing else is assumed. With too few of them for such a claim, the
    interval is (0, infinity): these are ratios of times.
    """
    rank = find_rank(len(values), tail)
    if rank == 0:
        return 0.0, float("inf")
    ordered = np.sort(values)
    return float(ordered[rank - 1]), float(ordered[-rank])


@cache
def find_rank(count: int, tail: float) -> int:
    """Return the largest k with P(fewer than k of `count` fair coins show heads) <= `tail`; 0 if there is none."""
    from scipy import stats  # noqa: PLC0415 - half a second, which only timed checks should pay

    below: npt.NDArray[np.float64] = stats.binom.cdf(np.arange(count), count, 0.5)  # [k - 1] is the chance for k
    return int(np.searchsorted(below, tail, side="right"))


def bootstrap_clamped(slow: Floats, baseline: Floats, factors: Bounds, confidence: float) -> Bounds:
    """Return the percentile bootstrap interval of `clamped_median`.

    Whole blocks are drawn, so that pairs stay together (Efron and Tibshirani, An Introduction to the Bootstrap,
    ch. 13). The draws are seeded from the ratios: the same samples always give the same interval.

    Args:
        slow: One ratio per block, slow over fast.
        baseline: One ratio per block, the staff's baseline over fast.
        factors: The bounds of `slow`, in multiples of the baseline.
        confidence: Such as 0.95.
    """
    if len(slow) < _FEWEST_TO_RESAMPLE:
        return 0.0, float("inf")
    from scipy import stats  # noqa: PLC0415 - half a second, which only timed checks should pay

    interval = stats.bootstrap(
        (slow, baseline),
        lambda own, staff, axis=-1: clamped_median(own, staff, factors, axis),
        paired=True,
        vectorized=True,
        n_resamples=_RESAMPLES,
        confidence_level=confidence,
        method="percentile",
        rng=np.random.default_rng(zlib.crc32(np.concatenate([slow, baseline]).tobytes())),
    ).confidence_interval
    # with equal ratios, rounding may exchange the ends
    low, high = sorted((float(interval.low), float(interval.high)))
    return low, high


def clamped_median(slow: Floats, baseline: Floats, factors: Bounds, axis: int = -1) -> Any:
    """Return the median of `slow`, clamped to `factors` times that of `baseline`; medians along `axis`."""
    reference = np.median(baseline, axis=axis)
    return np.clip(np.median(slow, axis=axis), factors[0] * reference, factors[1] * reference)
