"""np.maximum of two rows makes a new array, which no kernel can.

failed: max.gpu.correct max.gpu.launch
skipped: max.gpu.speedup
"""


@cuda.jit
def max_kernel(A, B, C):
    i = cuda.blockIdx.x
    C[i] = np.maximum(A[i], B[i])


def max_gpu(A, B):
    C = np.zeros(A.shape, A.dtype)
    max_kernel[1000, 1000](A, B, C)
    return C
