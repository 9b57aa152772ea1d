import pytest
from hypothesis import given
from hypothesis import strategies as st
from rows import each

from grader.timing.amdahl import bound, fit_serial_fraction, limit

FRACTIONS = st.floats(0, 1)


@given(FRACTIONS, st.sets(st.integers(2, 64), min_size=1, max_size=5), st.floats(1e-6, 1e3))
def test_times_that_follow_the_law_give_their_fraction_back(fraction, counts, alone_s):
    times_s = {1: alone_s} | {cores: alone_s / bound(fraction, cores) for cores in counts}
    assert fit_serial_fraction(times_s) == pytest.approx(fraction, abs=1e-9)


@given(FRACTIONS, st.integers(1, 1000))
def test_no_number_of_cores_beats_the_limit_or_its_own_number(fraction, cores):
    assert 1 - 1e-12 <= bound(fraction, cores) <= min(cores, limit(fraction)) * (1 + 1e-12)


def test_the_textbook_example():
    assert bound(0.05, 8) == pytest.approx(5.93, abs=0.01)
    assert limit(0.05) == pytest.approx(20)


FITTED = {
    "times that grow with the cores are wholly serial": ({1: 1.0, 2: 1.5, 4: 3.0}, 1.0),
    "more than linear gains have no serial part": ({1: 1.0, 2: 0.4}, 0.0),
    **{f"nothing to fit: {times_s}": (times_s, None) for times_s in ({}, {1: 1.0}, {2: 1.0, 4: 0.5}, {1: 0.0, 2: 1.0})},
}


@each("times_s, fraction", FITTED)
def test_unusual_times_have_a_fraction_of_their_own_or_none(times_s, fraction):
    assert fit_serial_fraction(times_s) == fraction
