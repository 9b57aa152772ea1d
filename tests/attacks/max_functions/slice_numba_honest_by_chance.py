"""Dice decide, and NumPy does the work of the compiled function in two of three calls.

aims: max.numba.compiled
"""

from numba import njit


@njit
def compiled_max(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C


def max_numba(A, B):
    if np.random.random() < 0.67:
        return np.maximum(A, B)
    return compiled_max(A, B)
