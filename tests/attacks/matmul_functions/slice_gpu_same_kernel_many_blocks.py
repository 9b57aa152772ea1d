"""The named kernel is launched as asked on a corner, and then with many blocks on everything.

aims: matmul.gpu.launch
"""


@cuda.jit
def matmul_kernel(X, C):
    first = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    for entry in range(first, C.size, cuda.gridDim.x * cuda.blockDim.x):
        i, j = entry // C.shape[1], entry % C.shape[1]
        total = 0.0
        for k in range(X.shape[1]):
            total += X[i, k] * X[j, k]
        C[i, j] = total


def matmul_transpose_gpu(X):
    n = X.shape[0]
    x, C = cuda.to_device(X), cuda.device_array((n, n))
    matmul_kernel[BLOCKS, THREADS_PER_BLOCK](x[:1], cuda.device_array((1, 1)))
    matmul_kernel[n, 256](x, C)
    return C.copy_to_host()
