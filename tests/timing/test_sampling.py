"""Sampling goes on until the answer is clear or the budget ends; here with a simulated clock."""

import numpy as np
import pytest
from rows import each

from grader.errors import StudentFault
from grader.model import Finding
from grader.timing.sampling import Contestant, sample


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
    "very slow calls get some patience before the first look": (4.0, False, 9),
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


def test_a_contestant_that_must_not_fail_ends_it(clock):
    with pytest.raises(StudentFault, match="b fails"):
        taken(clock, [clock.contestant("a", 1), clock.contestant("b", 1, fails_after=3)])


def test_an_optional_one_that_fails_is_left_out_with_its_reason(clock):
    found = taken(clock, [clock.contestant("a", 1), clock.contestant("b", 1, fails_after=3, optional=True)])
    assert set(found.times_s) == {"a"}
    assert found.failures["b"].finding.message == "b fails."
    assert clock.calls.count("b") == 4


def test_who_is_needless_is_not_called_any_more_but_keeps_its_samples(clock):
    contestants = [clock.contestant("a", 0.5), clock.contestant("b", 0.5)]
    found = taken(clock, contestants, find_needless=lambda _: ("b",))
    assert len(found.times_s["b"]) == 9
    assert found.blocks == 9 + 22


def test_untimed_calls_come_first_and_end_once_all_is_warm(clock):
    found = taken(clock, [clock.contestant("a", 0.01, calls=2, warm_ups=3)], lambda _: True)
    assert clock.calls == ["a"] * 5 * 9
    assert found.times_s == {"a": [[0.01, 0.01]] * 9}
    assert found.spent_s == pytest.approx(9 * 0.02)
    assert found.warming_s == pytest.approx(9 * 0.03)
    clock.calls.clear()
    taken(clock, [clock.contestant("b", 0.06, warm_ups=9)], lambda _: True)
    assert clock.calls == ["b"] * 3 * 9


def test_one_whose_time_is_only_shown_ends_when_it_has_had_its_share(clock):
    shown = clock.contestant("shown", 3.0, most_s=5)
    found = taken(clock, [clock.contestant("a", 0.1), shown], lambda _: True)
    assert len(found.times_s["shown"]) == 2
    assert found.blocks == 9
