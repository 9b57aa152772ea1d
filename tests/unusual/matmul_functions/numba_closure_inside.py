"""Functions are defined inside the compiled one and see its variables; a global tuple gives the order of loops.

slow: its neighbours of the same kind are in the fast set
"""

ORDER = (0, 1)


@njit
def matmul_transpose_numba(X):
    n, m = X.shape
    C = np.zeros((n, n))

    def product(i, j, k):
        return X[i, k] * X[j, k]

    for half in ORDER:
        for i in range(half, n, 2):
            for j in range(n):
                C[i, j] = sum([product(i, j, k) for k in range(m)])
    return C
