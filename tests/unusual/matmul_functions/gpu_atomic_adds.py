"""Threads share the sums and join them by atomic additions."""


@cuda.jit
def matmul_kernel(X, C):
    k = cuda.threadIdx.x % 16
    worker = cuda.threadIdx.x // 16
    for at in range(worker, C.size, 64):
        i = at // C.shape[1]
        j = at % C.shape[1]
        part = 0.0
        for column in range(k, X.shape[1], 16):
            part += X[i, column] * X[j, column]
        cuda.atomic.add(C, (i, j), part)


def matmul_transpose_gpu(X):
    C = cuda.to_device(np.zeros((X.shape[0], X.shape[0])))
    matmul_kernel[1, 1024](cuda.to_device(X), C)
    return C.copy_to_host()
