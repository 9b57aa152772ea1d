"""The named kernel computes the first row of the product, and another kernel with many blocks all others.

aims: matmul.gpu.launch
"""


@cuda.jit
def other_rows(X, C):
    i, j = cuda.grid(2)
    if 0 < i < C.shape[0] and j < C.shape[1]:
        total = 0.0
        for k in range(X.shape[1]):
            total += X[i, k] * X[j, k]
        C[i, j] = total


@cuda.jit
def matmul_kernel(X, C, rows):
    for entry in range(cuda.threadIdx.x, rows * C.shape[1], cuda.blockDim.x):
        i, j = entry // C.shape[1], entry % C.shape[1]
        total = 0.0
        for k in range(X.shape[1]):
            total += X[i, k] * X[j, k]
        C[i, j] = total


def matmul_transpose_gpu(X):
    n = X.shape[0]
    x, C = cuda.to_device(X), cuda.device_array((n, n))
    other_rows[(n // 16 + 1, n // 16 + 1), (16, 16)](x, C)
    matmul_kernel[BLOCKS, THREADS_PER_BLOCK](x, C, 1)
    return C.copy_to_host()
