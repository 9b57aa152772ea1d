"""The kernel computes the lower triangle, and the host mirrors it with tril and a transpose.

flagged: matmul.gpu.correct
"""


@cuda.jit
def matmul_kernel(X, C):
    n, m = X.shape
    for i in range(cuda.threadIdx.x, n, cuda.blockDim.x):
        for j in range(i + 1):
            total = 0.0
            for k in range(m):
                total += X[i, k] * X[j, k]
            C[i, j] = total


def matmul_transpose_gpu(X):
    d_C = cuda.device_array((X.shape[0], X.shape[0]))
    matmul_kernel[1, 1024](cuda.to_device(X), d_C)
    lower = d_C.copy_to_host()
    return np.tril(lower) + np.tril(lower, -1).T
