"""Single precision all the way, cast back at the end; the inner loop goes over pairs.

slow: its neighbours of the same kind are in the fast set
"""

from numba import jit, float32
def matmul_transpose_trivial(X):
    n = X.shape[0]
    C = np.zeros((n, n), dtype=np.float32)
    for i in range(n):
        for j in range(i, n):
            acc = 0
            for a, b in zip(X[i], X[j]):
                acc += a * b
            C[i][j] = C[j][i] = acc
    return C


@jit(nopython=True)
def matmul_transpose_numba(X):
    C = np.zeros((X.shape[0], X.shape[0]), dtype=np.float32)
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i][j] += np.float32(X[i][k]) * np.float32(X[j][k])
    return C


@cuda.jit
def matmul_kernel(X, C):
    x, y = cuda.grid(2)
    for i in range(x, X.shape[0], cuda.blockDim.x):
        for j in range(y, X.shape[0], cuda.blockDim.y):
            tmp = float32(0.0)
            for k in range(X.shape[1]):
                tmp += X[i, k] * X[j, k]
            C[i, j] = tmp


def matmul_transpose_gpu(X):
    X32 = cuda.to_device(X.astype(np.float32))
    C32 = cuda.device_array((X.shape[0], X.shape[0]), dtype=np.float32)
    matmul_kernel[(1, 1), (32, 32)](X32, C32)
    return C32.copy_to_host().astype(np.float64)
