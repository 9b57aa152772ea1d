"""Numbers are read and written through flat iterators, at places that are worked out by hand.

slow: its neighbours of the same kind are in the fast set
"""


def matmul_transpose_trivial(X):
    n, m = X.shape
    C = np.zeros_like(X, shape=(n, n))
    numbers, out = X.flat, C.flat
    for i in range(n):
        for j in range(n):
            total = 0.0
            for k in range(m):
                total += numbers[i * m + k] * numbers[j * m + k]
            out[np.ravel_multi_index((i, j), C.shape)] = total
    return C


@njit
def matmul_transpose_numba(X):
    n, m = X.shape
    C = np.zeros(n * n)
    x = X.ravel()
    for i in range(n):
        for j in range(n):
            total = 0.0
            for k in range(m):
                total += x[i * m + k] * x[j * m + k]
            C[i * n + j] = total
    return C.reshape(n, n)
