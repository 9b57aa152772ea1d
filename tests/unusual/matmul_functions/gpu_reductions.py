"""Eight elements at a time, each summed up by 128 threads in shared memory.

slow: its neighbours of the same kind are in the fast set
"""

from numba import prange
@cuda.jit
def matmul_kernel(X, C):
    s = cuda.shared.array(1024, dtype=float64)
    t = cuda.threadIdx.x
    g = t // 128
    k = t % 128
    n, m = X.shape
    for base in range(0, n * n, 8):
        e = base + g
        i = e // n
        j = e % n
        if e < n * n and k < m:
            s[t] = X[i, k] * X[j, k]
        else:
            s[t] = 0.0
        cuda.syncthreads()
        step = 64
        while step > 0:
            if k < step:
                s[t] += s[t + step]
            cuda.syncthreads()
            step //= 2
        if k == 0 and e < n * n:
            C[i, j] = s[t]
        cuda.syncthreads()


def matmul_transpose_gpu(X):
    dX = cuda.to_device(X)
    dC = cuda.device_array((len(X), len(X)))
    matmul_kernel[1, 1024](dX, dC)
    return dC.copy_to_host()


@njit(parallel=True)
def matmul_transpose_numba(X):
    n = X.shape[0]
    C = np.zeros((n, n), dtype=X.dtype)
    for ij in prange(n * n):
        i = ij // n
        j = ij % n
        for k in range(X.shape[1]):
            C[i, j] += X[i, k] * X[j, k]
    return C


def matmul_transpose_trivial(X):
    """ijk"""
    m, n = X.shape
    X_t = [[0.0] * m for _ in range(n)]
    for r in range(m):
        for c in range(n):
            X_t[c][r] = X[r][c]
    out = np.zeros([m, m])
    for i in range(m):
        for j in range(m):
            s = 0
            for k in range(n):
                s += X[i, k] * X_t[k][j]
            out[i, j] = s
    return out
