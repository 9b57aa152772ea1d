"""Tiles of float32 in shared memory, padded with zeros.

slow: its neighbours of the same kind are in the fast set
"""


TPB = 32


@cuda.jit
def matmul_kernel(X, C):
    sA = cuda.shared.array(shape=(TPB, TPB), dtype=float32)
    sB = cuda.shared.array(shape=(TPB, TPB), dtype=float32)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    n = X.shape[0]
    m = X.shape[1]
    num_tiles = (n + TPB - 1) // TPB
    for bi in range(num_tiles):
        for bj in range(num_tiles):
            row = bi * TPB + ty
            col = bj * TPB + tx
            acc = 0.0
            for t in range((m + TPB - 1) // TPB):
                if row < n and t * TPB + tx < m:
                    sA[ty, tx] = X[row, t * TPB + tx]
                else:
                    sA[ty, tx] = 0
                if col < n and t * TPB + ty < m:
                    sB[ty, tx] = X[col, t * TPB + ty]
                else:
                    sB[ty, tx] = 0
                cuda.syncthreads()
                for k in range(TPB):
                    acc += sA[ty, k] * sB[k, tx]
                cuda.syncthreads()
            if row < n and col < n:
                C[row, col] = acc


def matmul_transpose_gpu(X):
    X_d = cuda.to_device(X)
    C_d = cuda.device_array((X.shape[0],) * 2)
    matmul_kernel[1, (TPB, TPB)](X_d, C_d)
    return C_d.copy_to_host()


def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    X_T = X.transpose()
    for i in range(X.shape[0]):
        for j in range(X_T.shape[1]):
            C[i, j] = 0
            for k in range(X.shape[1]):
                C[i, j] = C[i, j] + X[i, k] * X_T[k, j]
    return C


def matmul_transpose_numba(X):
    return _go(X)


@njit
def _go(X):
    n = len(X)
    C = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            s = 0.0
            for k in range(len(X[0])):
                s += X[i, k] * X[j, k]
            C[i, j] = s
    return C
from numba import float32
