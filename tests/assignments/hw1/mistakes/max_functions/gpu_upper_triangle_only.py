"""A condition from the other kernel: only columns right of the diagonal are written.

failed: max.gpu.correct
skipped: max.gpu.speedup
slow: its neighbours of the same kind are in the fast set
"""


@cuda.jit
def max_kernel(A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    if i <= j < C.shape[1]:
        C[i, j] = max(A[i, j], B[i, j])


def max_gpu(A, B):
    C = cuda.to_device(np.zeros(A.shape, A.dtype))
    max_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(A), cuda.to_device(B), C)
    return C.copy_to_host()
