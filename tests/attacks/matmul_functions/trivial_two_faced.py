"""Three loops for small matrices, NumPy for those that take time.

aims: matmul.trivial.correct
"""

PICK = [getattr(np, "dot")]


def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    if X.shape[0] >= 1:
        return PICK[0](X, X.T)
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]
    return C
