"""The transpose is made first; the three loops multiply.

slow: its neighbours of the same kind are in the fast set
"""


def matmul_transpose_trivial(X):
    T = np.transpose(X)
    C = np.zeros((X.shape[0], T.shape[1]))
    for i in range(X.shape[0]):
        for j in range(T.shape[1]):
            total = 0
            for k in range(X.shape[1]):
                total += X[i, k] * T[k, j]
            C[i, j] = total
    return C


@njit
def matmul_transpose_numba(X):
    T = X.T
    C = np.zeros((X.shape[0], T.shape[1]), dtype=X.dtype)
    for i in range(X.shape[0]):
        for j in range(T.shape[1]):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * T[k, j]
    return C


def matmul_transpose_gpu(X):
    C = cuda.to_device(np.zeros((X.shape[0], X.shape[0])))
    matmul_kernel[1, 1024](cuda.to_device(np.ascontiguousarray(X)), C)
    return C.copy_to_host()
