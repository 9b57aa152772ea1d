"""NumPy's integer has 32 bits on some machines: an if of the module picks the types that are written down.

slow: its neighbours of the same kind are in the fast set
"""

import sys

import numba
from numba import int32, int64

if np.dtype(int).itemsize == 8:
    integer = int64

    def as_matrix(M):
        return np.ascontiguousarray(M, dtype=np.int64)

else:
    integer = int32

    def as_matrix(M):
        return np.ascontiguousarray(M, dtype=np.int32)


matrix = integer[:, ::1]
LOOPS = xrange if sys.version_info < (3,) else range


@njit(matrix(matrix, matrix))
def _max_numba(A, B):
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C


def max_cpu(A, B):
    C = as_matrix(np.zeros(A.shape))
    for i in LOOPS(A.shape[0]):
        for j in LOOPS(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C


def max_numba(A, B):
    return _max_numba(as_matrix(A), as_matrix(B))


@cuda.jit(numba.void(matrix, matrix, matrix))
def max_kernel(A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]


def max_gpu(A, B):
    d_A, d_B = cuda.to_device(as_matrix(A)), cuda.to_device(as_matrix(B))
    d_C = cuda.device_array_like(d_A)
    max_kernel[1000, 1000](d_A, d_B, d_C)
    return d_C.copy_to_host()
