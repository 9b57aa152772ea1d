"""What the times of submissions are compared with. Frozen: a change here changes grades.

Runs as a script folder of the staff's own worker, beside NumPy; Numba is imported where there is a GPU. As a program,
it tells `grader doctor` the largest possible speed-up: that of a call which only copies, over the loop.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[Any]


def max_loop(first: Matrix, second: Matrix) -> Matrix:
    """Return the element-wise maximum, taken in the sheet's trivial way: a loop over indices."""
    larger = np.empty(first.shape, first.dtype)
    for i in range(first.shape[0]):
        for j in range(first.shape[1]):
            if first[i, j] > second[i, j]:
                larger[i, j] = first[i, j]
            else:
                larger[i, j] = second[i, j]
    return larger


def hand_over(first: Matrix, second: Matrix) -> Matrix:
    """Return an array of the result's size without computing anything."""
    del second
    return first


def copies(first: Matrix, second: Matrix) -> Matrix:
    """Return an array of the result's size, after the copies of a call on a GPU, without its kernel."""
    from numba import cuda  # noqa: PLC0415 - loads a driver, which the loop above has no use for

    on_gpu = cuda.to_device(first)
    cuda.to_device(second)
    cuda.device_array(first.shape, first.dtype)  # for the result: allocating it is no part of the kernel
    back: Matrix = on_gpu.copy_to_host()
    return back


def find_reach() -> float:
    """Return seconds of the loop per second of the copies, on the sheet's matrices; medians of some calls."""
    pair = np.random.default_rng(1).integers(0, 256, (2, 1000, 1000))
    copies(*pair)  # starts the driver
    return _median_s(max_loop, pair, 3) / _median_s(copies, pair, 15)


def _median_s(function: Callable[..., Matrix], pair: Matrix, calls: int) -> float:
    began_s = [time.perf_counter()]
    for _ in range(calls):
        function(*pair)
        began_s.append(time.perf_counter())
    return float(np.median(np.diff(began_s)))


if __name__ == "__main__":
    sys.stdout.write(f"reach: {find_reach()}")
