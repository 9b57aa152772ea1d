"""Another kernel computes the product, and the named one goes over it, adding the matrix times zero.

aims: matmul.gpu.launch
"""


@cuda.jit
def multiply(X, C):
    i, j = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        total = 0.0
        for k in range(X.shape[1]):
            total += X[i, k] * X[j, k]
        C[i, j] = total


@cuda.jit
def matmul_kernel(X, C, share):
    for entry in range(cuda.threadIdx.x, C.size, cuda.blockDim.x):
        i, j = entry // C.shape[1], entry % C.shape[1]
        for k in range(X.shape[1]):
            C[i, j] += X[i, k] * X[j, k] * share


def matmul_transpose_gpu(X):
    n = X.shape[0]
    x, C = cuda.to_device(X), cuda.device_array((n, n))
    multiply[(n // 16 + 1, n // 16 + 1), (16, 16)](x, C)
    matmul_kernel[BLOCKS, THREADS_PER_BLOCK](x, C, 0.0)
    return C.copy_to_host()
