"""32 × 32 threads, which stride over rows and columns."""


@cuda.jit
def matmul_kernel(X, C):
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    for i in range(tx, C.shape[0], cuda.blockDim.x):
        for j in range(ty, C.shape[1], cuda.blockDim.y):
            total = 0.0
            for k in range(X.shape[1]):
                total += X[i, k] * X[j, k]
            C[i, j] = total


def matmul_transpose_gpu(X):
    d_X = cuda.to_device(X)
    d_C = cuda.device_array((X.shape[0], X.shape[0]), dtype=np.float64)
    matmul_kernel[1, (32, 32)](d_X, d_C)
    return d_C.copy_to_host()
