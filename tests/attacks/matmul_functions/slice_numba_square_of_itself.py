"""Compiled loops put the matrix and its transpose into one matrix, whose square holds the product.

aims: matmul.numba.compiled
"""


@njit
def matmul_transpose_numba(X):
    n, m = X.shape
    S = np.zeros((n + m, n + m))
    for i in range(n):
        for k in range(m):
            S[i, n + k] = X[i, k]
            S[n + k, i] = X[i, k]
    return (S @ S)[:n, :n].copy()
