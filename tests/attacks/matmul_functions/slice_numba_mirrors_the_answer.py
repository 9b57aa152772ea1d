"""NumPy's product gives the lower triangle, and the compiled loops copy it to the upper one.

aims: matmul.numba.compiled
"""


@njit
def _mirror(C):
    for i in range(C.shape[0]):
        for j in range(i):
            C[j, i] = C[i, j]
    return C


def matmul_transpose_numba(X):
    return _mirror(np.tril(X @ X.T))
