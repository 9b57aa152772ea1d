"""Each thread computes whole rows; the launch has tuples of one number."""


@cuda.jit
def matmul_kernel(X, C):
    row = cuda.threadIdx.x + cuda.blockIdx.x * cuda.blockDim.x
    while row < X.shape[0]:
        for column in range(X.shape[0]):
            C[row, column] = 0
            for k in range(X.shape[1]):
                C[row, column] += X[row, k] * X[column, k]
        row += 1024


def matmul_transpose_gpu(X):
    C = cuda.device_array((X.shape[0], X.shape[0]))
    matmul_kernel[(1,), (1024,)](cuda.to_device(X), C)
    return C.copy_to_host()
