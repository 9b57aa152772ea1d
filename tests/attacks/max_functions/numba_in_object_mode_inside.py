"""The compiled function goes back to Python for the whole work.

aims: max.numba.compiled
"""

from numba import objmode


@njit
def max_numba(A, B):
    with objmode(C="int64[:,:]"):
        C = np.maximum(A, B)
    return C
