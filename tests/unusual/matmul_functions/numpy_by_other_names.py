"""NumPy has other names here, some of its functions are imported by themselves, and Numba's as well."""

import numba as nb
import numpy
import numpy as xp
from numba import cuda as gpu
from numba import njit as compiled
from numpy import empty, zeros
from numpy import float64 as f8

shape_of = xp.shape


def matmul_transpose_trivial(X):
    rows, columns = shape_of(X)
    C = zeros((rows, rows), f8)
    for i in range(rows):
        for j in range(rows):
            for k in range(columns):
                C[i, j] += X[i, k] * X[j, k]
    return C


@compiled
def matmul_transpose_numba(X):
    C = empty((X.shape[0], X.shape[0]), dtype=f8)
    for i in nb.prange(X.shape[0]):
        for j in range(X.shape[0]):
            total = 0.0
            for k in range(X.shape[1]):
                total += X[i, k] * X[j, k]
            C[i, j] = total
    return C


@gpu.jit
def matmul_kernel(X, C):
    for i in range(gpu.threadIdx.x, C.shape[0], gpu.blockDim.x):
        for j in range(C.shape[1]):
            total = nb.float64(0.0)
            for k in range(X.shape[1]):
                total += X[i, k] * X[j, k]
            C[i, j] = total


def matmul_transpose_gpu(X):
    C = numpy.zeros((X.shape[0],) * 2)
    on_gpu = gpu.to_device(C)
    matmul_kernel[1, 1024](gpu.to_device(X), on_gpu)
    return on_gpu.copy_to_host()
