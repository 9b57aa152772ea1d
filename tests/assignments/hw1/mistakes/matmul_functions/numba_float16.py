"""A result with three digits.

failed: matmul.numba.correct
skipped: matmul.numba.compiled
"""


def matmul_transpose_numba(X):
    return multiply(X).astype(np.float16)


@njit
def multiply(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]
    return C
