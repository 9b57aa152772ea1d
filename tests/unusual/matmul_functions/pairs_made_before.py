"""The pairs of rows come from a generator that is made before.

slow: its neighbours of the same kind are in the fast set
"""


def matmul_transpose_trivial(X):
    n, m = X.shape
    C = np.zeros((n, n))
    pairs = ((i, j) for i in range(n) for j in range(n))
    for i, j in pairs:
        for k in range(m):
            C[i, j] += X[i, k] * X[j, k]
    return C
