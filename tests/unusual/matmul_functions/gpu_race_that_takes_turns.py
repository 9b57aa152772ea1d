"""Each of 128 threads adds its products to the same sums without an atomic: right where threads take turns.

flagged: matmul.gpu.correct matmul.gpu.launch
"""


@cuda.jit
def matmul_kernel(X, C):
    k = cuda.threadIdx.x
    if k < X.shape[1]:
        for i in range(C.shape[0]):
            for j in range(C.shape[1]):
                C[i, j] += X[i, k] * X[j, k]


def matmul_transpose_gpu(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    matmul_kernel[1, 1024](X, C)
    return C
