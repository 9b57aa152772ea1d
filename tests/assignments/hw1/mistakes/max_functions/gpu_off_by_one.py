"""Threads are counted from 1: the first column is never written, and the last thread has nothing to do.

failed: max.gpu.correct
skipped: max.gpu.speedup
slow: its neighbours of the same kind are in the fast set
"""


@cuda.jit
def max_kernel(A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x + 1
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = max(A[i, j], B[i, j])


def max_gpu(A, B):
    C = cuda.to_device(np.zeros(A.shape, A.dtype))
    max_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(A), cuda.to_device(B), C)
    return C.copy_to_host()
