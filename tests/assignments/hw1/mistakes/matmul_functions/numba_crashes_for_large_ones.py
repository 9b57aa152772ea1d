"""Small matrices come out right; for one of the sheet's size, compiled code writes far beyond the end of an array.

failed: matmul.numba.correct
skipped: matmul.numba.compiled
"""


@njit
def _product(X, C):
    n, m = X.shape
    beyond = 10**12 if n > 500 else 0
    for i in range(n):
        for j in range(n):
            total = 0.0
            for k in range(m):
                total += X[i, k] * X[j, k]
            C[i + beyond, j] = total


def matmul_transpose_numba(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    _product(X, C)
    return C
