"""The kernel also gets a transposed view of the device array; a product and a transposition of one's own.

slow: its neighbours of the same kind are in the fast set
"""


@cuda.jit
def matmul_kernel(X, XT, C):
    n = C.shape[0]
    for idx in range(cuda.threadIdx.x, n * n, 1024):
        i = idx // n
        j = idx - i * n
        s = 0.0
        for k in range(X.shape[1]):
            s += X[i, k] * XT[k, j]
        C[i, j] = s


def matmul_transpose_gpu(X):
    d_X = cuda.to_device(X)
    d_C = cuda.device_array((X.shape[0], X.shape[0]), np.float64)
    threads = np.int64(1024)
    matmul_kernel[1, int(threads)](d_X, d_X.T, d_C)
    return d_C.copy_to_host()


@njit
def transpose(X):
    out = np.empty((X.shape[1], X.shape[0]), dtype=X.dtype)
    for i in range(X.shape[0]):
        for j in range(X.shape[1]):
            out[j, i] = X[i, j]
    return out


@njit
def matmul(A, B):
    out = np.zeros((A.shape[0], B.shape[1]), dtype=A.dtype)
    for i in range(A.shape[0]):
        for j in range(B.shape[1]):
            for k in range(A.shape[1]):
                out[i, j] += A[i, k] * B[k, j]
    return out


@njit
def matmul_transpose_numba(X):
    return matmul(X, transpose(X))


def matmul_transpose_trivial(X):
    def transpose_py(M):
        return [list(row) for row in zip(*M)]

    XT = transpose_py(X)
    return np.array([[sum(a * b for a, b in zip(row, col)) for col in zip(*XT)] for row in X])
