"""A name that is not there.

failed: max.gpu.correct max.gpu.launch
skipped: max.gpu.speedup
warned: max.shapes
slow: its neighbours of the same kind are in the fast set
"""


@cuda.jit
def max_kernel(A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    C[i, j] = maximum_of(A[i, j], B[i, j])
