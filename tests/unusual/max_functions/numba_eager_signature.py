"""Types are written down, so that everything is compiled at import."""

import numba
from numba import int64


@njit(int64[:, :](int64[:, :], int64[:, :]))
def max_numba(A, B):
    C = np.zeros_like(A)
    rows, columns = A.shape
    for i in range(rows):
        for j in range(columns):
            C[i, j] = A[i, j]
            if B[i, j] > C[i, j]:
                C[i, j] = B[i, j]
    return C


@cuda.jit("void(int64[:,:], int64[:,:], int64[:,:])")
def max_kernel(A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = max(A[i, j], B[i, j])
