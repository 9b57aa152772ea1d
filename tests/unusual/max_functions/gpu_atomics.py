"""cuda.atomic.max into a result that starts as a copy of A."""


@cuda.jit
def max_kernel(A, B, C):
    row, column = cuda.blockIdx.x, cuda.threadIdx.x
    if row < A.shape[0] and column < A.shape[1]:
        cuda.atomic.max(C, (row, column), A[row, column])
        cuda.atomic.max(C, (row, column), B[row, column])


def max_gpu(A, B):
    C = np.zeros(A.shape, dtype=np.int64)
    d_C = cuda.to_device(C)
    max_kernel[1000, 1000](cuda.to_device(A), cuda.to_device(B), d_C)
    d_C.copy_to_host(C)
    return C
