"""What the times of submissions are compared with. Frozen: a change here changes grades."""

import numpy as np


def max_loop(A, B):
    """Take the element-wise maximum in the sheet's trivial way: a loop over indices."""
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            if A[i, j] > B[i, j]:
                C[i, j] = A[i, j]
            else:
                C[i, j] = B[i, j]
    return C


def hand_over(A, B):  # noqa: ARG001 - called like the functions whose stopwatch it calibrates
    """Return an array of the result's size without computing anything."""
    return A
