"""+= into an array that nobody has set to zero: right here, and on a GPU by luck, so that a TA is told.

flagged: matmul.gpu.correct matmul.gpu.launch
slow: its neighbours of the same kind are in the fast set
"""


@cuda.jit
def matmul_kernel(X, C):
    rows = X.shape[0]
    for index in range(cuda.threadIdx.x, rows * rows, cuda.blockDim.x):
        for k in range(X.shape[1]):
            C[index // rows, index % rows] += X[index // rows, k] * X[index % rows, k]


def matmul_transpose_gpu(X):
    C = cuda.device_array((X.shape[0], X.shape[0]))
    matmul_kernel[1, 1024](cuda.to_device(X), C)
    return C.copy_to_host()
