"""Compiled loops append to lists of Python's kind, which become the matrix afterwards.

slow: its neighbours of the same kind are in the fast set
"""


@njit
def products(X):
    entries = []
    for i in range(len(X)):
        for j in range(len(X)):
            total = 0.0
            for a, b in zip(X[i], X[j]):
                total += a * b
            entries.append(total)
    return entries


def matmul_transpose_numba(X):
    return np.array(products(X)).reshape(len(X), -1)
