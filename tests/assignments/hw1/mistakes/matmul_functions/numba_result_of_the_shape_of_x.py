"""The result is as wide as X.

failed: matmul.numba.correct
skipped: matmul.numba.compiled
slow: its neighbours of the same kind are in the fast set
"""


@njit
def matmul_transpose_numba(X):
    C = np.zeros((X.shape[0], X.shape[1]))
    for i in range(X.shape[0]):
        for j in range(X.shape[1]):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]
    return C
