"""Three loops without a decorator are right, and far too slow for a matrix of the sheet's size.

failed: matmul.numba.compiled
flagged: matmul.numba.correct
limit_s: 6
"""


def matmul_transpose_numba(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]
    return C
