"""A default argument of the compiled function is the operator of products of matrices.

aims: matmul.numba.compiled
"""

import operator


@njit
def matmul_transpose_numba(X, times=operator.matmul):
    n = X.shape[0]
    C = np.zeros((n, n))
    for i in range(0, n, n):
        for j in range(0, n, n):
            C[i:, j:] = times(X, X.T)
    return C
