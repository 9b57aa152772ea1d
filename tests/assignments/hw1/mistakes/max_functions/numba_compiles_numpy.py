"""np.maximum inside njit: compiled, but not one's own work.

failed: max.numba.compiled
"""


@njit
def max_numba(A, B):
    return np.maximum(A, B)
