"""A factory makes the compiled function around NumPy's product of two rows, which the two outer loops call.

aims: matmul.numba.compiled
"""


def _made(times):
    @njit
    def work(X):
        C = np.zeros((X.shape[0], X.shape[0]))
        for i in range(X.shape[0]):
            for j in range(X.shape[0]):
                for k in range(0, X.shape[1], X.shape[1]):
                    C[i, j] += times(X[i, k:], X[j, k:])
        return C

    return work


matmul_transpose_numba = _made(np.dot)
