"""Rows and columns are exchanged when writing: the result is transposed.

failed: max.gpu.correct
skipped: max.gpu.speedup
slow: its neighbours of the same kind are in the fast set
"""


@cuda.jit
def max_kernel(A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    if i < C.shape[0] and j < C.shape[1]:
        C[j, i] = max(A[i, j], B[i, j])
