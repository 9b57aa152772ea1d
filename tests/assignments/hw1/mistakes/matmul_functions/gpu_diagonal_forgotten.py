"""The loop ends before j = i: the diagonal is never written.

failed: matmul.gpu.correct
slow: its neighbours of the same kind are in the fast set
"""


@cuda.jit
def matmul_kernel(X, C):
    i = cuda.threadIdx.x
    if i < X.shape[0]:
        for j in range(i):
            s = 0.0
            for k in range(X.shape[1]):
                s += X[i, k] * X[j, k]
            C[i, j] = s
            C[j, i] = s


def matmul_transpose_gpu(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    matmul_kernel[1, 1024](X, C)
    return C
