"""A product is a quarter of the difference of two squares, and NumPy's norms are their sums.

aims: matmul.trivial.correct
"""


def matmul_transpose_trivial(X):
    n = X.shape[0]
    scales = [float(abs(row).max()) or 1.0 for row in X]
    C = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            x, y = X[i] / scales[i], X[j] / scales[j]
            for k in range(1):
                C[i, j] += (np.linalg.norm(x + y) ** 2 - np.linalg.norm(x - y) ** 2) / 4 * scales[i] * scales[j]
    return C
