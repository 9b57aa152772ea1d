"""Three loops for show; each entry is NumPy's, taken as an array without dimensions, plus nothing.

aims: matmul.trivial.correct
"""


def matmul_transpose_trivial(X):
    n, m = X.shape
    P = X @ X.T
    C = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            total = P[i, j, ...] + 0.0
            for k in range(m):
                total += 0 * X[i, k]
            C[i, j] = total
    return C
