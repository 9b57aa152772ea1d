"""One atomic addition per product, after the kernel has set zeros; an exception of one's own.

slow: its neighbours of the same kind are in the fast set
"""


class MatrixError(ValueError):
    pass


def matmul_transpose_trivial(X):
    if X.ndim != 2:
        raise MatrixError(f"2-D expected, got {X.ndim}")
    rows, inner_dim = X.shape
    result = np.zeros(shape=(rows, rows))
    row = 0
    while row < rows:
        col = 0
        while col < rows:
            k = 0
            while k < inner_dim:
                result[row, col] += X[row, k] * X.T[k, col]
                k += 1
            col += 1
        row += 1
    return result


def _plain(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i][j] += X[i][k] * X[j][k]
    return C


matmul_transpose_numba = njit(_plain, cache=True)


@cuda.jit
def matmul_kernel(X, C):
    t = cuda.threadIdx.x
    for i in range(C.shape[0]):
        for j in range(t, C.shape[1], 1024):
            C[i, j] = 0
    cuda.syncthreads()
    k = t % 128
    for i in range(t // 128, X.shape[0], 8):
        for j in range(X.shape[0]):
            cuda.atomic.add(C, (i, j), X[i, k] * X[j, k])


def matmul_transpose_gpu(X):
    d_C = cuda.device_array((X.shape[0], X.shape[0]), dtype=np.float64)
    matmul_kernel[1, 1024](cuda.to_device(X), d_C)
    cuda.synchronize()
    return d_C.copy_to_host()
