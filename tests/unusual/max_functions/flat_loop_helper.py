"""A function of one's own takes the larger of two numbers, in all three versions."""

from numba import int64


def larger(a, b):
    if a > b:
        return a
    return b


larger_compiled = njit(larger)
larger_on_device = cuda.jit(device=True)(larger)


def max_cpu(A, B):
    C = np.zeros((A.shape[0], A.shape[1]), dtype=int)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i][j] = larger(A[i][j], B[i][j])
    return C


@njit
def max_numba(A, B):
    C = np.zeros_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i][j] = larger_compiled(A[i][j], B[i][j])
    return C


@cuda.jit
def max_kernel(A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = larger_on_device(A[i, j], B[i, j])
