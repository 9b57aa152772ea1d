"""Kahan's summation keeps what rounding takes off, in a closure and in a compiled function.

slow: its neighbours of the same kind are in the fast set
"""


def make_adder():
    total = lost = 0.0

    def add(number):
        nonlocal total, lost
        corrected = number - lost
        new = total + corrected
        lost = (new - total) - corrected
        total = new
        return total

    return add


def matmul_transpose_trivial(X):
    n, m = X.shape
    C = np.zeros((n, n), dtype=np.float64)
    for i in range(n):
        for j in range(n):
            add = make_adder()
            for k in range(m):
                C[i, j] = add(X[i, k] * X[j, k])
    return C


@njit
def kahan(u, v):
    total = 0.0
    lost = 0.0
    for k in range(u.size):
        corrected = u[k] * v[k] - lost
        new = total + corrected
        lost = (new - total) - corrected
        total = new
    return total


@njit
def matmul_transpose_numba(X):
    C = np.empty((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            C[i, j] = kahan(X[i], X[j])
    return C
