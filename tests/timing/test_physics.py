from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.timing import physics

POSITIVE = st.floats(1e-6, 1e15)


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

        return SimpleNamespace(
            copy_to_device=lambda _host: copy(self.to_rate), copy_to_host=lambda _host: copy(self.from_rate)
        )

    def synchronize(self):
        self.now_s += self.pending_s
        self.pending_s = 0.0

    def clock(self):
        return self.now_s


def test_the_floor_of_the_sheets_maximum():
    up, down = physics.floor_s(16e6, 50e9), physics.floor_s(8e6, 50e9)
    assert max(up, down) == pytest.approx(0.32e-3)


@given(POSITIVE, POSITIVE)
def test_more_bytes_never_lower_the_floor_and_a_faster_way_never_raises_it(size, bandwidth):
    floor_s = physics.floor_s(size, bandwidth)
    assert physics.floor_s(2 * size, bandwidth) >= floor_s >= physics.floor_s(size, 2 * bandwidth)


@pytest.mark.parametrize("wrong", [(-1, 1), (1, 0), (1, -1)])
def test_nonsense_is_refused(wrong):
    with pytest.raises(ValueError, match="no physics"):
        physics.floor_s(*wrong)


def test_only_what_is_clearly_below_the_floor_is_impossible():
    assert physics.is_impossible(0.7, 1.0)
    assert not physics.is_impossible(0.9, 1.0)
    assert not physics.is_impossible(1.1, 1.0)
    assert physics.is_impossible(0.9, 1.0, margin=0.95)


def test_the_peak_of_known_chips():
    assert physics.Multiprocessor((9, 0), 1.98e9).fp64_flops_per_s == pytest.approx(253.4e9, rel=1e-3)
    # NVIDIA states 9.7 Tflop/s in double precision for the A100's 108 multiprocessors at 1.41 GHz.
    assert 108 * physics.Multiprocessor((8, 0), 1.41e9).fp64_flops_per_s == pytest.approx(9.7e12, rel=0.01)
    # And 34 Tflop/s for the 132 multiprocessors of an H100 SXM at 1.98 GHz.
    assert 132 * physics.Multiprocessor((9, 0), 1.98e9).fp64_flops_per_s == pytest.approx(34e12, rel=0.02)


@pytest.mark.parametrize(
    ("capability", "multiprocessors", "cores"),
    [((6, 1), 6, 768), ((7, 5), 68, 4352), ((9, 0), 132, 16896), ((99, 0), 132, 0)],  # GTX 1050 Ti, RTX 2080 Ti, H200
)
def test_cores_are_those_that_nvidia_counts(capability, multiprocessors, cores):
    device = SimpleNamespace(compute_capability=capability, MULTIPROCESSOR_COUNT=multiprocessors)
    assert physics.count_cores(SimpleNamespace(get_current_device=lambda: device)) == cores


def test_a_peak_needs_a_known_chip_and_the_devices_clock():
    assert (99, 0) not in physics.FP64_LANES
    assert physics.Multiprocessor((99, 0), 2e9).fp64_flops_per_s is None
    cuda = SimpleNamespace(get_current_device=lambda: SimpleNamespace(compute_capability=(9, 0)))
    assert physics.describe_multiprocessor(cuda).fp64_flops_per_s is None
    device = SimpleNamespace(compute_capability=(8, 6), CLOCK_RATE=1_695_000)
    cuda = SimpleNamespace(get_current_device=lambda: device)
    assert physics.describe_multiprocessor(cuda) == physics.Multiprocessor((8, 6), 1.695e9)


def test_bandwidth_is_that_of_each_direction_without_the_first_copy():
    device = SimulatedCuda(to_rate=25e9, from_rate=12e9)
    measured = physics.measure_bandwidth(device, clock=device.clock)
    assert measured.to_device_bytes_per_s == pytest.approx(25e9, rel=0.01)
    assert measured.from_device_bytes_per_s == pytest.approx(12e9, rel=0.01)
