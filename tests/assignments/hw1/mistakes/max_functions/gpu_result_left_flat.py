"""Flat arrays, and the result is never given its rows back.

failed: max.gpu.correct
skipped: max.gpu.speedup
slow: its neighbours of the same kind are in the fast set
"""


@cuda.jit
def max_kernel(A, B, C):
    i = cuda.grid(1)
    if i < C.size:
        C[i] = max(A[i], B[i])


def max_gpu(A, B):
    C = np.zeros(A.size, A.dtype)
    max_kernel[1000, 1000](A.flatten(), B.flatten(), C)
    return C
