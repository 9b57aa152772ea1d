"""Xᵀ·X instead of X·Xᵀ.

failed: matmul.numba.correct
skipped: matmul.numba.compiled
slow: its neighbours of the same kind are in the fast set
"""


@njit
def matmul_transpose_numba(X):
    C = np.zeros((X.shape[1], X.shape[1]))
    for i in range(X.shape[1]):
        for j in range(X.shape[1]):
            for k in range(X.shape[0]):
                C[i, j] += X[k, i] * X[k, j]
    return C
