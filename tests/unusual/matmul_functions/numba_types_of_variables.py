"""Several signatures are compiled at import, with the types of variables in a dictionary.

slow: its neighbours of the same kind are in the fast set
"""

from numba import float32, uint32

single = float32[:, ::1]
double = float64[:, ::1]


@njit([double(double), single(single)], locals={"total": float64, "k": uint32})
def compiled_product(X):
    C = np.empty((X.shape[0], X.shape[0]), X.dtype)
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            total = 0
            for k in range(X.shape[1]):
                total += X[i, k] * X[j, k]
            C[i, j] = total
    return C


def matmul_transpose_numba(X):
    return compiled_product(np.ascontiguousarray(X))
