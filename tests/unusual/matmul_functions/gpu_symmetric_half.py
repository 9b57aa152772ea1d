"""Rows from the diagonal on, mirrored, with a transposed copy from the host; types written down.

slow: its neighbours of the same kind are in the fast set
"""


def inner(u, v):
    s = 0.0
    for k in range(len(u)):
        s = s + u[k] * v[k]
    return s


def matmul_transpose_trivial(X):
    return np.array([[inner(r, c) for c in X] for r in X])


@njit("float64[:,::1](float64[:,::1])")
def matmul_transpose_numba(X):
    r, c = X.shape
    res = np.empty((r, r), dtype=np.float64)
    for i in range(r):
        for j in range(i + 1):
            acc = 0.0
            for k in range(c):
                acc += X[i, k] * X[j, k]
            res[i, j] = acc
            res[j, i] = acc
    return res


@cuda.jit
def matmul_kernel(A, B, C):
    t = cuda.threadIdx.y * cuda.blockDim.x + cuda.threadIdx.x
    n = A.shape[0]
    for i in range(t, n, 1024):
        for j in range(i, n):
            s = 0.0
            for k in range(A.shape[1]):
                s += A[i, k] * B[k, j]
            C[i, j] = s
            if i != j:
                C[j, i] = s


def matmul_transpose_gpu(X):
    A = np.ascontiguousarray(X, dtype=np.float64)
    B = np.ascontiguousarray(X.T)
    C = np.zeros((A.shape[0], B.shape[1]), dtype=np.float64)
    dA, dB, dC = cuda.to_device(A), cuda.to_device(B), cuda.to_device(C)
    matmul_kernel[1, (32, 32)](dA, dB, dC)
    return dC.copy_to_host()
