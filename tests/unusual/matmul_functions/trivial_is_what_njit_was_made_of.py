"""The trivial version runs the plain function that njit was put on: one text for both.

opened: matmul.trivial.correct
"""


@njit
def matmul_transpose_numba(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]
    return C


def matmul_transpose_trivial(X):
    return matmul_transpose_numba.py_func(X)
