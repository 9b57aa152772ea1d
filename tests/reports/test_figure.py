"""An axis holds what it is given: tiny and huge spans, one value, all equal, either end first."""

import math

import pytest
from rows import each

from grader.reports.figure import Axis, is_number, is_positive, named_numbers, whole_decades


@each(
    "low, high, logarithmic, value, pixel",
    *((0, 10, False, 5, 150), (0, 10, False, 0, 100), (0, 1e-300, False, 5e-301, 150)),
    *((1, 100, True, 10, 150), (1e-9, 1e9, True, 1, 150), (7, 7, False, 7, 150), (7, 7, True, 7, 150)),
)
def test_a_value_lies_where_its_share_says_and_an_axis_may_run_backwards(low, high, logarithmic, value, pixel):
    assert Axis(low, high, 100, 200, logarithmic).at(value) == pytest.approx(pixel)
    assert Axis(low, high, 200, 100, logarithmic).at(value) == pytest.approx(300 - pixel)


@each("low, high", [(1e-9, 2e-9), (0.9, 1.1), (1e-8, 1e8), (3, 700), (5, 5)])
def test_round_values_lie_inside_and_are_few(low, high):
    found = Axis(low, high, 0, 1, is_logarithmic=True).round_values()
    assert len(found) <= 7
    assert all(low <= value <= high for value in found)
    assert found == sorted(set(found))


@each("longest", [1e-9, 0.3, 1, 7.5, 1e6])
def test_even_values_begin_at_0_and_are_three_to_seven(longest):
    found = Axis(0, longest, 0, 1).even_values()
    assert found[0] == 0
    assert 3 <= len(found) <= 7
    assert found[-1] <= longest * (1 + 1e-6)


@each("shortest, longest, low, high", [(0.02, 3, 0.01, 10), (1, 1, 0.1, 1), (1e-9, 2e-9, 1e-10, 1e-8)])
def test_decades_hold_all_values(shortest, longest, low, high):
    assert whole_decades(shortest, longest) == pytest.approx((low, high))
    assert Axis(low, high, 0, 1, is_logarithmic=True).decades()[0] == pytest.approx(low)


def test_only_finite_numbers_are_drawn():
    for value in (math.nan, math.inf, True, "1", None, 1e10):
        assert not is_number(value)
    assert is_number(0)
    assert not is_positive(0)
    assert named_numbers({"a": 1, "b": math.nan, "c": -1, "d" * 99: 2}, 4, 8) == {"a": 1, "d" * 7 + "…": 2}
    assert named_numbers([1, 2], 4, 8) == {}
