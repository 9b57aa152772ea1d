"""Xᵀ·X instead of X·Xᵀ.

failed: matmul.trivial.correct
slow: decided at 784 × 128, in Python
"""


def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[1], X.shape[1]))
    for i in range(X.shape[1]):
        for j in range(X.shape[1]):
            for k in range(X.shape[0]):
                C[i, j] += X[k, i] * X[k, j]
    return C
