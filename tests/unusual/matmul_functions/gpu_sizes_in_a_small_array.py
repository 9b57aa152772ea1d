"""Sizes, and the row of a launch, travel in a small array that is filled one by one; one launch for every eight rows.

slow: its neighbours of the same kind are in the fast set
"""


@cuda.jit
def matmul_kernel(X, C, sizes):
    n, m, first, rows = sizes[0], sizes[1], sizes[2], sizes[3]
    for e in range(cuda.threadIdx.x, rows * n, cuda.blockDim.x):
        i, j = first + e // n, e % n
        total = 0.0
        for k in range(m):
            total += X[i, k] * X[j, k]
        C[i, j] = total


def matmul_transpose_gpu(X):
    n, m = X.shape
    x, C = cuda.to_device(X), cuda.device_array((n, n))
    sizes = np.zeros(4, np.int64)
    sizes[0] = n
    sizes[1] = m
    for first in range(0, n, 8):
        sizes[2] = first
        sizes[3] = min(8, n - first)
        matmul_kernel[1, 1024](x, C, cuda.to_device(sizes))
    return C.copy_to_host()
