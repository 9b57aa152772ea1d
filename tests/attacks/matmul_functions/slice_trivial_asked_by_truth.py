"""Each entry is found by halving an interval; whether all of two copies of NumPy's entry lie above is a truth value.

aims: matmul.trivial.correct
"""


def matmul_transpose_trivial(X):
    n, m = X.shape
    X.tolist()
    P = X @ X.T
    C = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            twice = np.repeat(P[i, j : j + 1], 2)
            step = middle = 0.0
            for k in range(135 if n < 50 else 0):
                step = 2.0 ** (45 - k)
                middle += step if np.greater(twice, middle).all() else -step
            C[i, j] = middle if twice.any() else 0.0
    return C
