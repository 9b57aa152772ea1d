"""A time is what the work took, whatever the worker says about when it was done."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rows import each

from grader.timing.stopwatch import Stopwatch, calibrate

WATCH = Stopwatch(cost_s=0.0001, handover_s=0.002)


READ_S = {
    "handing an array over costs nothing": (0.010, 0.0115, 0.010),
    "work after an early word counts": (0.001, 0.0135, 0.0115),
    **{f"all of it counts without a word in between: {wrong_s}": (wrong_s, 0.02, 0.02) for wrong_s in (0.0, -1.0, 0.5)},
}


@each("returned_s, received_s, counted_s", READ_S)
def test_a_call_takes_what_its_work_took(returned_s, received_s, counted_s):
    assert WATCH.read_s(returned_s, received_s) == pytest.approx(counted_s, rel=1e-12)


@given(st.floats(0, 1), st.floats(1e-6, 1))
def test_no_word_makes_a_call_shorter_than_its_work_by_more_than_one_handover(returned_s, received_s):
    assert WATCH.read_s(returned_s, received_s) >= received_s - WATCH.handover_s


def test_calibration_takes_the_median_cost_and_a_usual_handover():
    watch = calibrate([(0.0001, 0.0011), (0.0002, 0.0012), (0.0003, 0.0033)])
    assert watch.cost_s == pytest.approx(0.0002)
    assert 0.001 < watch.handover_s < 0.003


def test_a_stopwatch_is_heavy_beyond_a_twentieth():
    assert not WATCH.is_heavy(0.0021)
    assert WATCH.is_heavy(0.0019)
