"""dtype=int for the result: everything after the point is lost.

failed: matmul.gpu.correct
slow: its neighbours of the same kind are in the fast set
"""


@cuda.jit
def matmul_kernel(X, C):
    n = X.shape[0]
    for e in range(cuda.threadIdx.x, n * n, 1024):
        s = 0
        for k in range(X.shape[1]):
            s += X[e // n, k] * X[e % n, k]
        C[e // n, e % n] = s


def matmul_transpose_gpu(X):
    C = np.zeros((X.shape[0], X.shape[0]), dtype=int)
    matmul_kernel[1, 1024](X, C)
    return C
