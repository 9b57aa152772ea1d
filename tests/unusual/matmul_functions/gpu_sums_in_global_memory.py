"""Sums grow in global memory; counts from a dictionary; an inlined function for Numba.

slow: its neighbours of the same kind are in the fast set
"""

import math
CONFIG = {"threads": 1024, "blocks": 1}


def matmul_transpose_trivial(X):
    n, m = X.shape
    C = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            C[i, j] = sum(X[i, k] * X[j, k] for k in range(m))
    return C


@njit(boundscheck=False, inline="always")
def cell(X, i, j):
    s = 0.0
    for k in range(X.shape[1]):
        s += X[i, k] * X[j, k]
    return s


@njit
def matmul_transpose_numba(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            C[i, j] = cell(X, i, j)
    return C


@cuda.jit
def matmul_kernel(X, C):
    start = cuda.grid(1)
    stride = cuda.gridsize(1)
    n = X.shape[0]
    for i in range(n):
        for j in range(start, n, stride):
            C[i, j] = 0.0
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]


def matmul_transpose_gpu(X):
    X = np.asarray(X, dtype=np.float64)
    C = np.empty((X.shape[0], X.shape[0]), dtype=X.dtype)
    matmul_kernel[CONFIG["blocks"], CONFIG["threads"]](X, C)
    return C
