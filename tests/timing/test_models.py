"""Models that bound what a machine can do: Amdahl's law, the α-β model, and physics."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rows import each

from grader.timing import models, physics

FRACTIONS = st.floats(0, 1)


@given(FRACTIONS, st.sets(st.integers(2, 64), min_size=1, max_size=5), st.floats(1e-6, 1e3))
def test_times_that_follow_the_law_give_their_fraction_back(fraction, counts, alone_s):
    times_s = {1: alone_s} | {cores: alone_s / models.amdahl_bound(fraction, cores) for cores in counts}
    assert models.fit_serial_fraction(times_s) == pytest.approx(fraction, abs=1e-9)


@given(FRACTIONS, st.integers(1, 1000))
def test_no_number_of_cores_beats_the_limit_or_its_own_number(fraction, cores):
    assert 1 - 1e-12 <= models.amdahl_bound(fraction, cores) <= min(cores, models.amdahl_limit(fraction)) * (1 + 1e-12)


def test_a_textbooks_bound_holds_and_long_arrays_go_round_a_ring_and_short_ones_up_a_tree():
    assert (models.amdahl_bound(0.05, 8), models.amdahl_limit(0.05)) == (
        pytest.approx(5.93, abs=0.01),
        pytest.approx(20),
    )
    link = models.Link(1e-6, 1e-9)
    long, short = models.Step(1.0, 1, 1e9), models.Step(1.0, 1, 8)
    assert models.ring_s(64, long, link) < models.tree_s(64, long, link)
    assert models.tree_s(64, short, link) < models.ring_s(64, short, link)


FITTED = {
    "times that grow with the cores are wholly serial": ({1: 1.0, 2: 1.5, 4: 3.0}, 1.0),
    "more than linear gains have no serial part": ({1: 1.0, 2: 0.4}, 0.0),
    **{f"nothing to fit: {times_s}": (times_s, None) for times_s in ({}, {1: 1.0}, {2: 1.0, 4: 0.5}, {1: 0.0, 2: 1.0})},
}


@each("times_s, fraction", FITTED)
def test_unusual_times_have_a_fraction_of_their_own_or_none(times_s, fraction):
    assert models.fit_serial_fraction(times_s) == fraction


LINKS = st.builds(models.Link, st.floats(1e-7, 1e-2), st.floats(1e-11, 1e-6))
STEPS = st.builds(models.Step, st.floats(1e-4, 10), st.floats(1, 8), st.floats(8, 1e8))
SIZES = (8, 1 << 10, 1 << 14, 1 << 17, 1 << 20)


@given(LINKS)
def test_times_that_follow_the_model_give_their_link_back(link):
    times_s = {size: link.latency_s + link.byte_s * size for size in SIZES}
    found = models.fit_link(times_s)
    assert {size: found.latency_s + found.byte_s * size for size in SIZES} == pytest.approx(times_s, rel=1e-6)


@pytest.mark.parametrize("times_s", [{}, {8: 1e-6}, {8: 0.0, 1024: 1e-6}, {8: -1.0, 1024: 1e-6}])
def test_what_is_no_two_times_gives_no_link(times_s):
    assert models.fit_link(times_s) is None


@given(st.integers(2, 4096), STEPS, LINKS)
def test_one_rank_computes_only_and_a_ring_moves_no_more_than_a_tree(ranks, step, link):
    assert models.step_s(1, step, link) == step.computing_s
    free = models.Link(0.0, link.byte_s)
    assert models.ring_s(ranks, step, free) <= models.tree_s(ranks, step, free) * (1 + 1e-12)


class SimulatedCuda:
    """A device whose copies take as long as their size and direction say, by its own clock."""

    def __init__(self, to_rate, from_rate, start_s=10e-6, first_s=0.5):
        self.now_s, self.to_rate, self.from_rate, self.start_s, self.first_s = 0.0, to_rate, from_rate, start_s, first_s
        self.pending_s = 0.0

    def pinned_array(self, size, dtype):
        return np.zeros(size, dtype)

    def device_array(self, size, _dtype):
        def copy(rate):
            self.pending_s += self.start_s + self.first_s + size / rate
            self.first_s = 0.0

        to_device, to_host = (lambda _host: copy(self.to_rate)), (lambda _host: copy(self.from_rate))
        return SimpleNamespace(copy_to_device=to_device, copy_to_host=to_host)

    def synchronize(self):
        self.now_s += self.pending_s
        self.pending_s = 0.0

    def clock(self):
        return self.now_s


def test_only_a_time_clearly_below_the_floor_is_impossible():
    assert physics.is_impossible(0.7, 1.0)
    assert not any(physics.is_impossible(time_s, 1.0) for time_s in (0.9, 1.1))


def test_lanes_in_double_precision_give_the_peaks_that_nvidia_states():
    # 9.7 Tflop/s for the A100's 108 multiprocessors at 1.41 GHz, and 34 for the 132 of an H100 SXM at 1.98 GHz
    assert 108 * 2 * physics.LANES[8, 0][0] * 1.41e9 == pytest.approx(9.7e12, rel=0.01)
    assert 132 * 2 * physics.LANES[9, 0][0] * 1.98e9 == pytest.approx(34e12, rel=0.02)


@pytest.mark.parametrize(
    ("capability", "multiprocessors", "cores"),
    [((6, 1), 6, 768), ((7, 5), 68, 4352), ((9, 0), 132, 16896), ((99, 0), 132, 0)],  # GTX 1050 Ti, RTX 2080 Ti, H200
)
def test_cores_are_those_that_nvidia_counts(capability, multiprocessors, cores):
    device = SimpleNamespace(compute_capability=capability, MULTIPROCESSOR_COUNT=multiprocessors)
    assert physics.count_cores(SimpleNamespace(get_current_device=lambda: device)) == cores


def test_bandwidth_is_that_of_each_direction_without_the_first_copy():
    device = SimulatedCuda(to_rate=25e9, from_rate=12e9)
    assert physics.measure_bandwidth(device, clock=device.clock) == pytest.approx((25e9, 12e9), rel=0.01)
