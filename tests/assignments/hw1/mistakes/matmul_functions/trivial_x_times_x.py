"""X·X instead of X·Xᵀ: the index runs out of the rows' ends.

failed: matmul.trivial.correct
slow: its neighbours of the same kind are in the fast set
"""


def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[k, j]
    return C
