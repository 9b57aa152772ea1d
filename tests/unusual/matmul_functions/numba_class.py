"""Numba compiles a class that holds the rows, and a compiled function asks its object for each product."""

from numba.experimental import jitclass


@jitclass([("rows", float64[:, :])])
class Rows:
    def __init__(self, rows):
        self.rows = rows

    def product(self, i, j):
        total = 0.0
        for k in range(self.rows.shape[1]):
            total += self.rows[i, k] * self.rows[j, k]
        return total


@njit
def matmul_transpose_numba(X):
    rows = Rows(X)
    C = np.empty((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            C[i, j] = rows.product(i, j)
    return C
