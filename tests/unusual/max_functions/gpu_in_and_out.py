"""cuda.In and cuda.Out, types written down, and a recursion that halves rows.

slow: its neighbours of the same kind are in the fast set
"""

from numba import jit
from numba import types


@cuda.jit("void(int64[:,:], int64[:,:], int64[:,:])", lineinfo=True)
def max_kernel(A, B, C):
    x, y = cuda.blockIdx.x, cuda.threadIdx.x
    C[x, y] = A[x, y]
    cuda.syncthreads()
    if C[x, y] < B[x, y]:
        C[x, y] = B[x, y]


def max_gpu(A, B):
    C = np.zeros(A.shape, np.int64)
    max_kernel[1000, 1000](cuda.In(A), cuda.In(B), cuda.Out(C))
    return C


def max_numba(A, B):
    C = np.zeros(A.shape, A.dtype)
    rows(A, B, C)
    return C


@jit(types.void(types.int64[:, :], types.int64[:, :], types.int64[:, :]), nopython=True)
def rows(A, B, C):
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]


def max_cpu(A, B):
    def rec(a, b, lo, hi, out):
        if hi - lo == 1:
            out[lo] = a[lo] if a[lo] > b[lo] else b[lo]
            return
        mid = (lo + hi) // 2
        rec(a, b, lo, mid, out)
        rec(a, b, mid, hi, out)
    C = np.zeros(A.shape, A.dtype)
    for i in range(A.shape[0]):
        rec(A[i], B[i], 0, A.shape[1], C[i])
    return C
