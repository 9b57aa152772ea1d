"""Many functions are compiled for one product."""


@njit
def _multiply(a, b):
    return a * b


@njit
def _sum_of_products(X, i, j):
    total = 0.0
    for k in range(X.shape[1]):
        total = _add(total, _multiply(X[i, k], X[j, k]))
    return total


@njit
def _add(a, b):
    return a + b


@njit(error_model="numpy", boundscheck=True)
def matmul_transpose_numba(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            C[i, j] = _sum_of_products(X, i, j)
    return C
