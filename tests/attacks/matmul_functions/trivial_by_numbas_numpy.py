"""NumPy's product is reached through one of Numba's modules.

aims: matmul.trivial.correct
"""

from numba.np import arraymath


def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]
    return arraymath.np.dot(X, X.transpose())
