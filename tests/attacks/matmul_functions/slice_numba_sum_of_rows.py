"""Two compiled loops take NumPy's sum of two rows' products, where the third loop should be.

aims: matmul.numba.compiled
"""


@njit
def matmul_transpose_numba(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            C[i, j] = np.sum(X[i] * X[j])
    return C
