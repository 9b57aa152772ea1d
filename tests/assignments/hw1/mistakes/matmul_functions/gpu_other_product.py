"""Xᵀ·X instead of X·Xᵀ.

failed: matmul.gpu.correct
"""


@cuda.jit
def matmul_kernel(X, C):
    for at in range(cuda.threadIdx.x, C.size, cuda.blockDim.x):
        i, j = at // C.shape[1], at % C.shape[1]
        total = 0.0
        for k in range(X.shape[0]):
            total += X[k, i] * X[k, j]
        C[i, j] = total


def matmul_transpose_gpu(X):
    C = cuda.device_array((X.shape[1], X.shape[1]))
    matmul_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(X), C)
    return C.copy_to_host()
