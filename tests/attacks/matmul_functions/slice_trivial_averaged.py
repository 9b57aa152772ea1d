"""A weighted average of a row, times the sum of its weights, is the sum of products.

aims: matmul.trivial.correct
"""


def matmul_transpose_trivial(X):
    n, m = X.shape
    C = np.zeros((n, n))
    ones = np.ones((n, m))
    for i in range(n):
        for k in range(1):
            weights = X[i] - X[i].min() + 1.0
            shifted = weights.sum() * np.average(X, axis=1, weights=weights)
            C[i] = shifted - (1.0 - X[i].min()) * m * np.average(X, axis=1, weights=ones[i])
    return C
