"""Rows beside their negatives have mean zero, so that NumPy's covariance is their product.

aims: matmul.trivial.correct
"""


def matmul_transpose_trivial(X):
    n, m = X.shape
    both = np.empty((n, 2 * m))
    both[:, :m] = X
    both[:, m:] = -X
    return np.cov(both, bias=True).reshape(n, n) * m
