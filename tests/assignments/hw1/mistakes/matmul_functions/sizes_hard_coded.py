"""784 and 128 are written into Numba and CUDA: right for the sheet's size, which is what the points are for.

failed:
warned: matmul.shapes
"""


@njit
def matmul_transpose_numba(X):
    C = np.zeros((784, 784))
    for i in range(784):
        for j in range(784):
            for k in range(128):
                C[i, j] += X[i % X.shape[0], k % X.shape[1]] * X[j % X.shape[0], k % X.shape[1]]
    return C


@cuda.jit
def matmul_kernel(X, C):
    for at in range(cuda.threadIdx.x, 784 * 784, 1024):
        total = 0.0
        for k in range(128):
            total += X[at // 784, k] * X[at % 784, k]
        C[at // 784, at % 784] = total


def matmul_transpose_gpu(X):
    C = cuda.device_array((784, 784))
    matmul_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(X), C)
    return C.copy_to_host()
