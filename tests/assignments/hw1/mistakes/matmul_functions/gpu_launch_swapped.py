"""1024 blocks of one thread: the two numbers are exchanged.

failed: matmul.gpu.launch
"""


@cuda.jit
def matmul_kernel(X, C):
    for at in range(cuda.grid(1), C.size, cuda.gridsize(1)):
        i, j = at // C.shape[1], at % C.shape[1]
        total = 0.0
        for k in range(X.shape[1]):
            total += X[i, k] * X[j, k]
        C[i, j] = total


def matmul_transpose_gpu(X):
    C = cuda.device_array((X.shape[0], X.shape[0]))
    matmul_kernel[1024, 1](cuda.to_device(X), C)
    return C.copy_to_host()
