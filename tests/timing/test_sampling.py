"""Sampling goes on until the answer is clear; a disturbed section is repeated; intervals hold what they promise."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rows import each
from scipy import stats

from grader.errors import StudentFault, WorkerError
from grader.model import Finding
from grader.timing.health import Health, undisturbed
from grader.timing.sampling import Contestant, Stopwatch, calibrate, sample
from grader.timing.statistics import block_medians, bootstrap_clamped, bound_median, clamped_median, find_rank


class Clock:
    def __init__(self):
        self.now_s, self.calls = 1000.0, []  # nobody promises that a clock begins at zero

    def contestant(self, name, seconds, fails_after=None, **options):
        def call():
            self.calls.append(name)
            if fails_after is not None and self.calls.count(name) > fails_after:
                raise StudentFault(Finding(f"{name} fails."))
            self.now_s += seconds
            return seconds

        return Contestant(name, call, **options)


@pytest.fixture
def clock():
    return Clock()


def taken(clock, contestants, has_decided=lambda _: False, budget_s=20, **options):
    return sample(contestants, has_decided, budget_s, np.random.default_rng(1), lambda: clock.now_s, **options)


BLOCKS = {
    "a clear answer ends it at the first look": (0.1, True, 9),
    "the budget ends what is never clear": (1.0, False, 20),
    "very slow calls get some time more before the first look": (4.0, False, 9),
    "of the slowest calls there are two": (40.0, False, 2),
    "a clock that stands still does not make it endless": (0.0, False, 400),
}


@each("seconds, is_clear, blocks", BLOCKS)
def test_sampling_ends_in_time(seconds, is_clear, blocks):
    clock = Clock()
    assert taken(clock, [clock.contestant("a", seconds)], lambda _: is_clear).blocks == blocks


def test_all_calls_of_a_block_are_paid_from_the_budget(clock):
    found = taken(clock, [clock.contestant("a", 0.5), clock.contestant("b", 0.1, calls=5)])
    assert (found.blocks, found.spent_s) == (20, pytest.approx(20))


def test_looks_are_few_and_grow_apart(clock):
    looks = []
    taken(clock, [clock.contestant("a", 0.1)], lambda times: looks.append(len(times["a"])) or False)
    assert looks == [9, 15, 24, 39, 63, 101, 162, 200]


def test_every_block_has_all_contestants_in_varying_order(clock):
    taken(clock, [clock.contestant("a", 1), clock.contestant("b", 1), clock.contestant("c", 1)], budget_s=60)
    orders = {tuple(clock.calls[start : start + 3]) for start in range(0, len(clock.calls), 3)}
    assert all(sorted(order) == ["a", "b", "c"] for order in orders)
    assert len(orders) == 6


def test_the_order_follows_from_the_seed():
    orders = []
    for _ in range(2):
        clock = Clock()
        taken(clock, [clock.contestant("a", 1), clock.contestant("b", 1)])
        orders.append(clock.calls)
    assert orders[0] == orders[1]


def test_an_optional_contestant_that_fails_is_left_out_with_its_reason_and_one_that_must_not_fail_ends_it(clock):
    found = taken(clock, [clock.contestant("a", 1), clock.contestant("b", 1, fails_after=3, optional=True)])
    assert (set(found.times_s), found.failures["b"].finding.message) == ({"a"}, "b fails.")
    assert clock.calls.count("b") == 4
    with pytest.raises(StudentFault, match="b fails"):
        taken(clock, [clock.contestant("a", 1), clock.contestant("b", 1, fails_after=3)])


def test_who_is_needless_is_called_no_more_but_keeps_its_samples_and_one_only_shown_ends_with_its_share(clock):
    contestants = [clock.contestant("a", 0.5), clock.contestant("b", 0.5)]
    found = taken(clock, contestants, find_needless=lambda _: ("b",))
    assert (len(found.times_s["b"]), found.blocks) == (9, 9 + 22)
    found = taken(clock, [clock.contestant("a", 0.1), clock.contestant("shown", 3.0, most_s=5)], lambda _: True)
    assert (len(found.times_s["shown"]), found.blocks) == (2, 9)


def test_untimed_calls_come_first_and_end_once_all_is_warm(clock):
    found = taken(clock, [clock.contestant("a", 0.01, calls=2, warm_ups=3)], lambda _: True)
    assert (clock.calls, found.times_s) == (["a"] * 5 * 9, {"a": [[0.01, 0.01]] * 9})
    assert (found.spent_s, found.warming_s) == (pytest.approx(9 * 0.02), pytest.approx(9 * 0.03))
    clock.calls.clear()
    taken(clock, [clock.contestant("b", 0.06, warm_ups=9)], lambda _: True)
    assert clock.calls == ["b"] * 3 * 9


def run(reasons):
    """Return what sections come to whose ends show these disturbances, and how many were taken."""
    taken, left = [], list(reasons)
    came = undisturbed(lambda: taken.append(1) or len(taken), lambda: Health(gpu=None), lambda *_: left.pop(0))
    return came, len(taken)


def test_a_quiet_section_counts_at_once_a_disturbed_one_is_thrown_away_and_after_three_it_is_ours():
    (came, health, reasons), taken = run([""])
    assert ((came, reasons, taken), health) == ((1, (), 1), Health(gpu=None))
    (came, _, reasons), taken = run(["another process used the GPU: pid 7", "others used core 3 for 40%", ""])
    assert (came, taken) == (3, 3)
    assert reasons == ("another process used the GPU: pid 7", "others used core 3 for 40%")
    with pytest.raises(WorkerError, match="disturbed 3 times.*pid 9"):
        run(["a", "b", "another process used the GPU: pid 9", ""])


WATCH = Stopwatch(cost_s=0.0001, handover_s=0.002)


READ_S = {
    "handing an array over costs nothing": (0.010, 0.0115, 0.0099),
    "work after an early word counts": (0.001, 0.0135, 0.0114),
    **{f"all of it counts without a word in between: {one}": (one, 0.02, 0.0199) for one in (0.0, -1.0, 0.5)},
    "what is as fast as the stopwatch took some time": (0.0001, 0.0001, 1e-6),
}


@each("returned_s, received_s, counted_s", READ_S)
def test_a_call_takes_what_its_work_took(returned_s, received_s, counted_s):
    assert WATCH.read_s(returned_s, received_s) == pytest.approx(counted_s, rel=1e-12)


@given(st.floats(0, 1), st.floats(1e-6, 1))
def test_no_word_makes_a_call_shorter_than_its_work_by_more_than_the_stopwatch(returned_s, received_s):
    assert WATCH.read_s(returned_s, received_s) >= received_s - WATCH.handover_s - WATCH.cost_s


def test_calibration_takes_the_least_cost_and_a_long_handover():
    watch = calibrate([(0.0002, 0.0012), (0.0001, 0.0011), (0.0003, 0.0033)])
    assert watch.cost_s == pytest.approx(0.0001)
    assert 0.002 < watch.handover_s < 0.003


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
    lows, highs = np.transpose([bound_median(row, 0.02) for row in draws])
    assert max((lows > truth).mean(), (highs < truth).mean()) < 0.025


@given(ratios, st.floats(0.01, 100))
def test_too_few_values_promise_nothing_more_an_interval_around_their_median_in_any_unit(values, unit):
    low, high = bound_median(values, 0.01)
    assert low <= np.median(values) <= high
    assert (low, high) == (0, np.inf) or len(values) >= 7
    low, high = bound_median(values, 0.1)
    assert bound_median(values * unit, 0.1) == pytest.approx((low * unit, high * unit))


@given(ratios)
@example(np.full(2, 176.48))
def test_the_bootstrap_is_a_function_of_its_samples_and_stays_among_them(values):
    staff = values * 0.9
    first, second = (bootstrap_clamped(values, staff, FACTORS, 0.95) for _ in range(2))
    assert first == second
    assert values.min() * (1 - 1e-9) <= first[0] <= first[1] <= values.max() * (1 + 1e-9)


def test_the_bootstrap_agrees_with_the_ranks_on_ordinary_noise_and_one_block_has_no_interval():
    values = 50 * np.exp(np.random.default_rng(1).normal(0, 0.03, 30))
    shown = bootstrap_clamped(values, values / 1.2, FACTORS, 0.95)
    assert shown == pytest.approx(bound_median(values, 0.025), rel=0.02)
    assert shown[0] < clamped_median(values, values / 1.2, FACTORS) < shown[1]
    assert bootstrap_clamped(np.array([40.0]), np.array([40.0]), FACTORS, 0.95) == (0, np.inf)
    assert block_medians([[1.0, 2.0, 90.0], [4.0]]).tolist() == [2.0, 4.0]
    assert block_medians([[1.0, 3.0], [4.0, 6.0]]).tolist() == [2.0, 5.0]
