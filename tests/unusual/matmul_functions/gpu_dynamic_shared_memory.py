"""Shared memory whose size the launch gives; blocks of 64 for Numba.

slow: its neighbours of the same kind are in the fast set
"""


@njit(fastmath=True)
def matmul_transpose_numba(X):
    n, m = X.shape
    C = np.zeros((n, n))
    T = 64
    for ii in range(0, n, T):
        for jj in range(0, n, T):
            for i in range(ii, min(ii + T, n)):
                for j in range(jj, min(jj + T, n)):
                    s = 0.0
                    for k in range(m):
                        s += X[i, k] * X[j, k]
                    C[i, j] = s
    return C


@cuda.jit
def matmul_kernel(X, C):
    buf = cuda.shared.array(0, dtype=float64)
    t = cuda.threadIdx.x
    n, m = X.shape
    for i in range(n):
        for k in range(t, m, cuda.blockDim.x):
            buf[k] = X[i, k]
        cuda.syncthreads()
        for j in range(t, n, cuda.blockDim.x):
            s = 0.0
            for k in range(m):
                s += buf[k] * X[j, k]
            C[i, j] = s
        cuda.syncthreads()


def matmul_transpose_gpu(X):
    stream = cuda.default_stream()
    dX = cuda.to_device(X, stream)
    dC = cuda.device_array((X.shape[0], X.shape[0]), X.dtype)
    configured = matmul_kernel[1, 1024, stream, X.shape[1] * 8]
    configured(dX, dC)
    return dC.copy_to_host(stream=stream)


def matmul_transpose_trivial(X):
    assert X.ndim == 2
    n, m = X.shape
    C = np.zeros((n, n))
    indices = ((i, j) for i in range(n) for j in range(n))
    for i, j in indices:
        for k in range(m):
            C[i, j] += X[i, k] * X[j, k]
    return C
