"""Numba cannot compile a dictionary of lists of unknown types.

failed: max.numba.correct
skipped: max.numba.compiled
"""


@njit
def max_numba(A, B):
    rows = {}
    for i in range(A.shape[0]):
        rows[i] = [A[i, 0], "text"]
    return rows
