"""One index for arrays of two dimensions: max() of rows, which Numba cannot compile.

failed: max.gpu.correct max.gpu.launch
skipped: max.gpu.speedup
slow: its neighbours of the same kind are in the fast set
"""


@cuda.jit
def max_kernel(A, B, C):
    i = cuda.grid(1)
    C[i] = max(A[i], B[i])


def max_gpu(A, B):
    C = np.zeros(A.shape, A.dtype)
    max_kernel[1000, 1000](A, B, C)
    return C
