"""32 × 32 threads, one element each: only a corner of 784 × 784 elements is computed.

failed: matmul.gpu.correct
slow: its neighbours of the same kind are in the fast set
"""


@cuda.jit
def matmul_kernel(X, C):
    i, j = cuda.threadIdx.y, cuda.threadIdx.x
    if i < C.shape[0] and j < C.shape[1]:
        total = 0.0
        for k in range(X.shape[1]):
            total += X[i, k] * X[j, k]
        C[i, j] = total


def matmul_transpose_gpu(X):
    C = cuda.to_device(np.zeros((X.shape[0], X.shape[0])))
    matmul_kernel[1, (32, 32)](cuda.to_device(X), C)
    return C.copy_to_host()
