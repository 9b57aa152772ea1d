"""What the launch gives is returned: nothing.

failed: max.gpu.correct
skipped: max.gpu.speedup
slow: its neighbours of the same kind are in the fast set
"""


@cuda.jit
def max_kernel(A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    C[i, j] = max(A[i, j], B[i, j])


def max_gpu(A, B):
    C = np.zeros(A.shape, A.dtype)
    return max_kernel[1000, 1000](A, B, C)
