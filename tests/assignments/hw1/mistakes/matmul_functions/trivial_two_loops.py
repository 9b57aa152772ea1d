"""Two loops, and NumPy for the innermost sum.

failed: matmul.trivial.correct
"""


def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            C[i, j] = np.sum(X[i] * X[j])
    return C
