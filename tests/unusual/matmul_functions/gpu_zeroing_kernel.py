"""A first kernel sets the sums to zero, and matmul_kernel adds to them with atomics, for a few columns at a time.

slow: its neighbours of the same kind are in the fast set
"""

COLUMNS_PER_THREAD = 16


@cuda.jit
def zero_kernel(C):
    for k in range(cuda.grid(1), C.size, cuda.gridsize(1)):
        C[k // C.shape[1], k % C.shape[1]] = 0.0


@cuda.jit
def matmul_kernel(X, C):
    n, m = X.shape
    parts = (m + COLUMNS_PER_THREAD - 1) // COLUMNS_PER_THREAD
    for task in range(cuda.threadIdx.x, n * n * parts, cuda.blockDim.x):
        place, part = task // parts, task % parts
        i, j = place // n, place % n
        total = 0.0
        for k in range(part * COLUMNS_PER_THREAD, min(m, (part + 1) * COLUMNS_PER_THREAD)):
            total += X[i, k] * X[j, k]
        cuda.atomic.add(C, (i, j), total)


def matmul_transpose_gpu(X):
    d_C = cuda.device_array((X.shape[0], X.shape[0]), np.float64)
    zero_kernel[64, 256](d_C)
    matmul_kernel[1, 1024](cuda.to_device(X), d_C)
    return d_C.copy_to_host()
