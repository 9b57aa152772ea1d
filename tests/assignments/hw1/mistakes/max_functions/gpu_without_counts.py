"""The kernel is called like a function: how many blocks and threads is not said.

failed: max.gpu.correct max.gpu.launch
skipped: max.gpu.speedup
slow: its neighbours of the same kind are in the fast set
"""


@cuda.jit
def max_kernel(A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    C[i, j] = max(A[i, j], B[i, j])


def max_gpu(A, B):
    C = np.zeros(A.shape, A.dtype)
    max_kernel(A, B, C)
    return C
