"""Flat arrays, and sizes as arguments of the kernel.

slow: its neighbours of the same kind are in the fast set
"""


@cuda.jit
def matmul_kernel(X, C, n, m):
    tid = cuda.threadIdx.x
    row = tid
    while row < n:
        for col in range(n):
            value = 0.
            for k in range(m):
                value += X[row * m + k] * X[col * m + k]
            C[row * n + col] = value
        row += cuda.blockDim.x


def matmul_transpose_gpu(X):
    n, m = X.shape
    flat = cuda.to_device(X.ravel())
    out = cuda.device_array(n * n, dtype=X.dtype)
    matmul_kernel[1, 1024](flat, out, n, m)
    return out.copy_to_host().reshape(n, n)


@njit
def matmul_transpose_numba(X):
    n = X.shape[0]
    C = np.zeros((n, n))
    for i in range(n):
        xi = X[i]
        for j in range(n):
            xj = X[j]
            t = 0.0
            for k in range(xi.size):
                t += xi[k] * xj[k]
            C[i, j] = t
    return C


def matmul_transpose_trivial(X):
    result = []
    for row in X:
        result.append([])
        for other in X:
            dot = 0
            for a, b in zip(row, other):
                dot += a * b
            result[-1].append(dot)
    return np.array(result)
