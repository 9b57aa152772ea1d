"""A compiled function returns the number one, by which NumPy's answer is multiplied.

aims: max.numba.compiled
"""

from numba.np import arraymath as am


@njit
def _one(A, B):
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            if A[i, j] + B[i, j] < 0:
                return 0
    return 1


def max_numba(A, B):
    return am.np.maximum(A, B) * _one(A, B)
