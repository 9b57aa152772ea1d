"""While loops with a stride of 32 in both directions; lists of lists for Numba.

slow: its neighbours of the same kind are in the fast set
"""


THREADS_PER_BLOCK = (32, 32)
NUM_BLOCKS = (1, 1)


@cuda.jit
def matmul_kernel(X, C):
    ty, tx = cuda.threadIdx.y, cuda.threadIdx.x
    N, M = X.shape[0], X.shape[1]
    i = ty
    while i < N:
        j = tx
        while j < N:
            acc = 0.0
            for k in range(M):
                acc += X[i, k] * X[j, k]
            C[i, j] = acc
            j += 32
        i += 32


def matmul_transpose_gpu(X):
    n = X.shape[0]
    C = np.empty((n, n), dtype=np.float64)
    matmul_kernel[NUM_BLOCKS, THREADS_PER_BLOCK](X, C)
    cuda.synchronize()
    return C


@njit
def matmul_transpose_numba(X):
    C = [[0.0 for _ in range(X.shape[0])] for _ in range(X.shape[0])]
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i][j] += X[i][k] * X[j][k]
    return C


def matmul_transpose_trivial(X):
    return [[sum(X[i][k] * X[j][k] for k in range(len(X[0]))) for j in range(len(X))] for i in range(len(X))]
