"""What the times of submissions are compared with. Frozen: a change here changes grades.

Runs as a script folder of the staff's own worker, beside NumPy; Numba is imported where there is a GPU.
"""

from __future__ import annotations

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
    """Return an array of the result's size after the plain copies of a call on a GPU, all but the kernel."""
    from numba import cuda  # noqa: PLC0415 - loads a driver, which the loop above has no use for

    on_gpu = cuda.to_device(first)
    cuda.to_device(second)
    cuda.device_array(first.shape, first.dtype)  # for the result: to make room is no part of a kernel
    back: Matrix = on_gpu.copy_to_host()
    return back
