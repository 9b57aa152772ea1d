"""512 threads, which stride over all elements: the values are right, the launch is not the sheet's.

failed: matmul.gpu.launch
"""


@cuda.jit
def matmul_kernel(X, C):
    for at in range(cuda.threadIdx.x, C.size, cuda.blockDim.x):
        i, j = at // C.shape[1], at % C.shape[1]
        total = 0.0
        for k in range(X.shape[1]):
            total += X[i, k] * X[j, k]
        C[i, j] = total


def matmul_transpose_gpu(X):
    C = cuda.device_array((X.shape[0], X.shape[0]))
    matmul_kernel[1, 512](cuda.to_device(X), C)
    return C.copy_to_host()
