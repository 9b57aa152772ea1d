"""Sums in single precision, within the tolerance.

slow: its neighbours of the same kind are in the fast set
"""

from numba import float32


@njit
def matmul_transpose_numba(X):
    C = np.zeros((X.shape[0], X.shape[0]), dtype=np.float32)
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] += np.float32(X[i, k]) * np.float32(X[j, k])
    return C
