"""Every thread computes neighbouring elements; lists; the loops in another order.

slow: its neighbours of the same kind are in the fast set
"""


def matmul_transpose_trivial(X):
    Xt = [[X[j][i] for j in range(len(X))] for i in range(len(X[0]))]
    C = [[0] * len(X) for _ in range(len(X))]
    for i in range(len(X)):
        for j in range(len(Xt[0])):
            for k in range(len(Xt)):
                C[i][j] += X[i][k] * Xt[k][j]
    return C


@njit(parallel=True, fastmath=True)
def matmul_transpose_numba(X):
    n, m = X.shape
    XT = X.T
    C = np.zeros((n, n))
    for i in prange(n):
        for k in range(m):
            for j in range(n):
                C[i, j] += X[i, k] * XT[k, j]
    return C


@cuda.jit
def matmul_kernel(X, C):
    tid = cuda.threadIdx.x
    n = X.shape[0]
    total = n * n
    per = (total + cuda.blockDim.x - 1) // cuda.blockDim.x
    start = tid * per
    stop = min(start + per, total)
    for e in range(start, stop):
        i = e // n
        j = e % n
        s = 0.0
        for k in range(X.shape[1]):
            s += X[i, k] * X[j, k]
        C[i, j] = s


def matmul_transpose_gpu(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    matmul_kernel[1, 1024](X, C)
    return C
from numba import prange
