"""cuda.atomic.max of A and of B into zeros, with a barrier between; prange inside prange.

slow: its neighbours of the same kind are in the fast set
"""


@cuda.jit
def max_kernel(A, B, C):
    row = cuda.blockIdx.x
    col = cuda.threadIdx.x
    cuda.atomic.max(C, (row, col), A[row, col])
    cuda.syncthreads()
    cuda.atomic.max(C, (row, col), B[row, col])


def max_gpu(A, B):
    C = np.zeros((1000, 1000), dtype=np.int64)
    d_A = cuda.to_device(np.ascontiguousarray(A))
    d_B = cuda.to_device(np.ascontiguousarray(B))
    d_C = cuda.to_device(C)
    max_kernel[1000, 1000](d_A, d_B, d_C)
    cuda.synchronize()
    d_C.copy_to_host(C)
    return C


@njit(parallel=True)
def max_numba(A, B):
    C = np.empty_like(A)
    for i in prange(A.shape[0]):
        for j in prange(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C


def max_cpu(A, B):
    C = []
    for rowA, rowB in zip(A, B):
        C.append([a if a > b else b for a, b in zip(rowA, rowB)])
    return np.array(C)
from numba import prange
