"""The innermost of three loops has one turn, and its index is all columns at once.

aims: matmul.trivial.correct
"""


def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in (slice(None),):
                C[i, j] += X[i, k].dot(X[j, k])
    return C
