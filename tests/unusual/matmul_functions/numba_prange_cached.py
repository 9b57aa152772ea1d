"""prange in parallel, with a cache on disk; half of the result is mirrored."""

from numba import prange


@njit(parallel=True, cache=True)
def matmul_transpose_numba(X):
    n, m = X.shape
    C = np.empty((n, n))
    for i in prange(n):
        for j in range(i + 1):
            total = 0.0
            for k in range(m):
                total += X[i, k] * X[j, k]
            C[i, j] = total
            C[j, i] = total
    return C
