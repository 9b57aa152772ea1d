"""Intervals hold what they promise, for noise of any shape."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats

from grader.timing.statistics import block_medians, bootstrap_clamped, bound_median, clamp, clamped_median, find_rank

FACTORS = (1.0, 1.5)
times = st.floats(1e-6, 1e3)
ratios = st.lists(times, min_size=2, max_size=40).map(np.array)


@pytest.mark.parametrize("tail", [0.001, 0.0033, 0.025])
@pytest.mark.parametrize("count", [5, 9, 15, 24, 38])
def test_ranks_are_those_of_scipys_quantile_test(count, tail):
    values = np.arange(1.0, count + 1)
    found = stats.quantile_test(values, p=0.5).confidence_interval(1 - 2 * tail)
    low, high = bound_median(values, tail)
    assert low == (0 if np.isnan(found.low) else found.low)
    assert high == (np.inf if np.isnan(found.high) else found.high)


@given(st.integers(1, 200), st.floats(1e-4, 0.4))
def test_a_rank_errs_as_rarely_as_it_says_and_the_next_one_would_not(count, tail):
    rank = find_rank(count, tail)
    assert rank == 0 or stats.binom.cdf(rank - 1, count, 0.5) <= tail
    assert stats.binom.cdf(rank, count, 0.5) > tail


def test_an_interval_by_ranks_misses_the_median_as_rarely_as_it_says_even_with_two_speeds():
    rng = np.random.default_rng(3)
    draws = rng.normal(1, 0.01, (4000, 15)) + 0.5 * (rng.random((4000, 15)) < 0.3)
    truth = float(np.median(rng.normal(1, 0.01, 10**6) + 0.5 * (rng.random(10**6) < 0.3)))
    below = np.mean([bound_median(row, 0.02)[0] > truth for row in draws])
    above = np.mean([bound_median(row, 0.02)[1] < truth for row in draws])
    assert max(below, above) < 0.025


@given(ratios)
def test_too_few_values_promise_nothing_and_more_promise_an_interval_around_their_median(values):
    low, high = bound_median(values, 0.01)
    assert low <= np.median(values) <= high
    assert (low, high) == (0, np.inf) or len(values) >= 7


@given(ratios, st.floats(0.01, 100))
def test_another_unit_changes_no_ratio(values, unit):
    low, high = bound_median(values, 0.1)
    scaled = bound_median(values * unit, 0.1)
    assert scaled == pytest.approx((low * unit, high * unit))


@given(times, times, times)
def test_a_clamp_stays_between_its_ends(value, low, width):
    assert low <= clamp(value, low, low + width) <= low + width


@given(ratios)
@example(np.full(2, 176.48))
def test_the_bootstrap_is_a_function_of_its_samples_and_stays_among_them(values):
    staff = values * 0.9
    first, second = (bootstrap_clamped(values, staff, FACTORS, 0.95) for _ in range(2))
    assert first == second
    assert values.min() * (1 - 1e-9) <= first[0] <= first[1] <= values.max() * (1 + 1e-9)


def test_the_bootstrap_agrees_with_the_ranks_on_ordinary_noise():
    rng = np.random.default_rng(1)
    values = 50 * np.exp(rng.normal(0, 0.03, 30))
    shown = bootstrap_clamped(values, values / 1.2, FACTORS, 0.95)
    by_ranks = bound_median(values, 0.025)
    assert shown == pytest.approx(by_ranks, rel=0.02)
    assert shown[0] < clamped_median(values, values / 1.2, FACTORS) < shown[1]


def test_one_block_has_no_interval_and_counts_by_its_median_however_many_calls_it_holds():
    assert bootstrap_clamped(np.array([40.0]), np.array([40.0]), FACTORS, 0.95) == (0, np.inf)
    assert block_medians([[1.0, 2.0, 90.0], [4.0]]).tolist() == [2.0, 4.0]
    assert block_medians([[1.0, 3.0], [4.0, 6.0]]).tolist() == [2.0, 5.0]
