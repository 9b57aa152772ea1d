"""cuda.grid(2) where the launch has one dimension: j is always 0.

failed: max.gpu.correct
skipped: max.gpu.speedup
slow: its neighbours of the same kind are in the fast set
"""


@cuda.jit
def max_kernel(A, B, C):
    i, j = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = max(A[i, j], B[i, j])


def max_gpu(A, B):
    C = np.zeros(A.shape, A.dtype)
    max_kernel[1000, 1000](A, B, C)
    return C
