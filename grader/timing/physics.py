"""Shortest possible times on the machine at hand: a shorter time is not fast, but impossible.

A call that computes on a GPU copies its inputs there and its result back, and computes in between. Even if it does all
this at the same time, it cannot end before the longer of the two copies:

    floor = max over both ways of (bytes that way / bandwidth of that way)

For the sheet's maximum, A and B (8 MB each) go one way, C (8 MB) comes back: max(16 MB / up, 8 MB / down). A usual
program copies, then computes, then copies back, and needs the sum of the three. But PCIe carries both ways at once, so
the sum is no floor.

The values must cross, not the bytes in which they happen to be stored: values of 0 to 255 fit in one byte, and a
program may narrow an array on the host before it copies it. So the fewest bytes count that can carry the values.
"""

import time
from collections.abc import Callable
from typing import Any

import numpy as np

LANES = {
    **dict.fromkeys(((5, 0), (5, 2), (5, 3), (6, 1), (6, 2)), (4, 128)),
    **dict.fromkeys(((6, 0), (7, 0), (7, 2), (8, 0)), (32, 64)),
    **dict.fromkeys(((7, 5),), (2, 64)),
    **dict.fromkeys(((8, 6), (8, 7), (8, 9), (12, 0)), (2, 128)),
    **dict.fromkeys(((9, 0), (10, 0)), (64, 128)),
}
"""Compute capability -> multiply-adds per clock and multiprocessor, in double and in single precision; NVIDIA
calls the latter cores. Source: NVIDIA, CUDA C++ Programming Guide, section "Arithmetic Instructions", table "Throughput
of Native Arithmetic Instructions", rows "64-bit" and "32-bit floating-point add, multiply, multiply-add". Others are
unknown."""
MARGIN = 0.8  # a time below this share of the floor is called impossible: the measured bandwidth has an error
_COPIED_BYTES = 32 << 20  # so many that the start of a copy, about 10 µs, does not matter
_COPIES = 7


def is_impossible(sample_s: float, floor_s: float) -> bool:
    """Return whether a time is so far below the floor that the call cannot have done the task."""
    return sample_s < floor_s * MARGIN


def measure_bandwidth(cuda: Any, clock: Callable[[], float] = time.perf_counter) -> tuple[float, float]:
    """Return the bytes per second of pinned memory to the GPU, and back: the best of some copies, as it is a bound.

    For a process that never loads student code. Pinned memory is the fastest: the driver first copies pageable memory,
    as plain NumPy arrays have, into such a buffer.
    """
    host = cuda.pinned_array(_COPIED_BYTES, np.uint8)
    host[:] = 1
    device = cuda.device_array(_COPIED_BYTES, np.uint8)
    to_s, from_s = [], []
    for _ in range(1 + _COPIES):
        to_s.append(_time_s(lambda: device.copy_to_device(host), cuda, clock))
        from_s.append(_time_s(lambda: device.copy_to_host(host), cuda, clock))
    return _COPIED_BYTES / min(to_s[1:]), _COPIED_BYTES / min(from_s[1:])


def count_cores(cuda: Any) -> int:
    """Return how many cores the current device has, as NVIDIA counts them; 0 if it is unknown."""
    device = cuda.get_current_device()
    major, minor = device.compute_capability
    _, lanes = LANES.get((int(major), int(minor)), (0, 0))
    return lanes * int(getattr(device, "MULTIPROCESSOR_COUNT", 0))


def describe_gpu() -> dict[str, float | int | str]:
    """Return data on a worker's GPU for the parent, as plain numbers: from a staff worker, never a student's."""
    from numba import cuda  # noqa: PLC0415 - loads a driver, which the parent of a grading must not

    to_device, from_device = measure_bandwidth(cuda)
    return {
        "uuid": str(cuda.get_current_device().uuid),
        "to_device_bytes_per_s": to_device,
        "from_device_bytes_per_s": from_device,
        "cores": count_cores(cuda),
    }


def _time_s(copy: Callable[[], Any], cuda: Any, clock: Callable[[], float]) -> float:
    cuda.synchronize()
    began_s = clock()
    copy()
    cuda.synchronize()
    return clock() - began_s
