"""np.dot inside njit: compiled, but not one's own loops.

failed: matmul.numba.compiled
"""


@njit
def matmul_transpose_numba(X):
    return np.dot(X, X.T)
