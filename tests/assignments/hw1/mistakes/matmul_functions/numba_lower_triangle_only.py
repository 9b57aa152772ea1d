"""The upper half is never filled.

failed: matmul.numba.correct
skipped: matmul.numba.compiled
"""


@njit
def matmul_transpose_numba(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(i + 1):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]
    return C
