"""The loop over columns has no step.

failed: max.gpu.correct max.gpu.launch
skipped: max.gpu.speedup
warned: max.shapes
limit_s: 4
"""


@cuda.jit
def max_kernel(A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    while j < C.shape[1]:
        C[i, j] = max(A[i, j], B[i, j])
