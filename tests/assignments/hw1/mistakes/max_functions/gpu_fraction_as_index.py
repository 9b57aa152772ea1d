"""idx / n is a float, and no index.

failed: max.gpu.correct max.gpu.launch
skipped: max.gpu.speedup
"""


@cuda.jit
def max_kernel(A, B, C):
    idx = cuda.grid(1)
    n = A.shape[1]
    i = idx / n
    j = idx % n
    C[i, j] = max(A[i, j], B[i, j])


def max_gpu(A, B):
    C = np.zeros(A.shape, A.dtype)
    max_kernel[1000, 1000](A, B, C)
    return C
