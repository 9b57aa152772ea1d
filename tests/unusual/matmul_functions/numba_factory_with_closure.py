"""A factory returns the compiled function, which has a tile size and another compiled function in its closure.

slow: its neighbours of the same kind are in the fast set
"""


def make_product(tile, **options):
    @njit
    def dot(X, i, j):
        total = 0.0
        for k in range(X.shape[1]):
            total += X[i, k] * X[j, k]
        return total

    @njit(**options)
    def product(X):
        n = X.shape[0]
        C = np.zeros((n, n))
        for top in range(0, n, tile):
            for side in range(0, n, tile):
                for i in range(top, min(top + tile, n)):
                    for j in range(side, min(side + tile, n)):
                        C[i, j] = dot(X, i, j)
        return C

    return product


matmul_transpose_numba = make_product(tile=64, fastmath=True)
