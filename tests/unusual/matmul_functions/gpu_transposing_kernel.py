"""A first kernel writes the transpose, and matmul_kernel multiplies by it.

slow: its neighbours of the same kind are in the fast set
"""

TILE = 32
THREADS = 1024


@cuda.jit
def transpose_kernel(X, T):
    i, j = cuda.grid(2)
    if i < X.shape[0] and j < X.shape[1]:
        T[j, i] = X[i, j]


@cuda.jit
def matmul_kernel(X, T, C):
    n, m = X.shape
    for place in range(cuda.threadIdx.x, n * n, cuda.blockDim.x):
        i, j = place // n, place % n
        total = 0.0
        for k in range(m):
            total += X[i, k] * T[k, j]
        C[i, j] = total


def matmul_transpose_gpu(X):
    n, m = X.shape
    d_X = cuda.to_device(X)
    d_T = cuda.device_array((m, n))
    d_C = cuda.device_array((n, n))
    grid = (n + TILE - 1) // TILE, (m + TILE - 1) // TILE
    transpose_kernel[grid, (TILE, TILE)](d_X, d_T)
    matmul_kernel[1, THREADS](d_X, d_T, d_C)
    return d_C.copy_to_host()
