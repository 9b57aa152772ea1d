"""NumPy's product is reached through NumPy's module for tests.

aims: matmul.trivial.correct
"""

from numpy.testing._private import utils as checking


def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]
    return checking.np.dot(X, X.transpose())
