"""match for the choice, numba.vectorize inside njit, and more parameters than the sheet's.

slow: its neighbours of the same kind are in the fast set
"""

import math
import random
from math import ceil
from timeit import default_timer as timer
from numba import vectorize, int64, float64


def max_cpu(A, B, /, *, out=None):
    """Return max."""
    if out is None:
        out = np.zeros_like(A, dtype=object)
        out = np.zeros_like(A)
    start = timer()
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            match A[i, j] > B[i, j]:
                case np.True_:
                    out[i, j] = A[i, j]
                case _:
                    out[i, j] = B[i, j]
    print("took", timer() - start)
    return out


@vectorize([int64(int64, int64)], nopython=True)
def _vmax(a, b):
    return a if a > b else b


@njit
def max_numba(A, B):
    return _vmax(A, B)


@cuda.jit
def max_kernel(A, B, C):
    i = cuda.blockIdx.y * cuda.blockDim.y + cuda.threadIdx.y
    j = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = max(A[i, j], B[i, j])


def max_gpu(A, B):
    C = np.zeros(A.shape, dtype=A.dtype)
    tpb = (40, 25)
    bpg = (ceil(A.shape[1] / tpb[0]), math.ceil(A.shape[0] / tpb[1]))
    max_kernel[bpg, tpb](A, B, C)
    return C
