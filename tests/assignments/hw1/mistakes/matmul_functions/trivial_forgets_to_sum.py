"""= instead of +=: only the last product stays.

failed: matmul.trivial.correct
slow: decided at 784 × 128, in Python
"""


def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] = X[i, k] * X[j, k]
    return C
