"""cuda.atomic.max into an array that nobody has set to zero: a TA is told, the points stay.

flagged: max.gpu.correct max.gpu.launch
slow: its neighbours of the same kind are in the fast set
"""


@cuda.jit
def max_kernel(A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    if i < C.shape[0] and j < C.shape[1]:
        cuda.atomic.max(C, (i, j), A[i, j])
        cuda.atomic.max(C, (i, j), B[i, j])


def max_gpu(A, B):
    C = cuda.device_array_like(A)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(A), cuda.to_device(B), C)
    return C.copy_to_host()
