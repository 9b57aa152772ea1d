"""A row at a time lies in shared memory, made for 128 columns and up to 1024 rows.

slow: its neighbours of the same kind are in the fast set
"""


@cuda.jit
def matmul_kernel(X, C):
    row = cuda.shared.array(shape=(128,), dtype=float64)
    tid = cuda.threadIdx.x
    for i in range(X.shape[0]):
        if tid < X.shape[1]:
            row[tid] = X[i, tid]
        cuda.syncthreads()
        if tid < X.shape[0]:
            total = 0.0
            for k in range(X.shape[1]):
                total += row[k] * X[tid, k]
            C[i, tid] = total
        cuda.syncthreads()


def matmul_transpose_gpu(X):
    d_X = cuda.to_device(X)
    d_C = cuda.to_device(np.zeros((X.shape[0], X.shape[0])))
    threads_per_block = 1024
    blocks_per_grid = 1
    matmul_kernel[blocks_per_grid, threads_per_block](d_X, d_C)
    C = d_C.copy_to_host()
    return C


@njit
def matmul_transpose_numba(X):
    rows = X.shape[0]
    C = np.zeros((rows, rows), dtype=np.float64)
    for i in range(rows):
        for j in range(i, rows):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]
            C[j, i] = C[i, j]
    return C


def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]), dtype=X.dtype)
    for i in range(C.shape[0]):
        for j in range(C.shape[1]):
            total = 0
            k = 0
            for k in range(0, X.shape[1]):
                total = total + X[i][k] * np.transpose(X)[k][j]
            C[i][j] = total
    return C
