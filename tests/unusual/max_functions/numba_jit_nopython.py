"""The older way to say njit.

slow: its neighbours of the same kind are in the fast set
"""

import numba as nb
from numba import jit


@jit(nopython=True)
def max_numba(A, B):
    C = np.zeros_like(A)
    for i in nb.prange(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    return C
