"""Each launch adds the products of one column of X.

slow: 128 launches, watched
"""


@cuda.jit
def matmul_kernel(X, C, k):
    rows = X.shape[0]
    for index in range(cuda.threadIdx.x, rows * rows, cuda.blockDim.x):
        i, j = index // rows, index % rows
        C[i, j] += X[i, k] * X[j, k]


def matmul_transpose_gpu(X):
    device_x = cuda.to_device(X)
    device_c = cuda.to_device(np.zeros((X.shape[0], X.shape[0])))
    for k in range(X.shape[1]):
        matmul_kernel[1, 1024](device_x, device_c, k)
    return device_c.copy_to_host()
