"""What the times of submissions are compared with. Frozen: a change here changes grades.

Runs as a script folder of the staff's own worker, beside NumPy and nothing else.
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
