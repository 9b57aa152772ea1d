"""The result has the shape of X: the kernel is stopped when it writes beyond the end.

failed: matmul.gpu.correct matmul.gpu.launch
"""


def matmul_transpose_gpu(X):
    C = cuda.to_device(np.zeros(X.shape))
    matmul_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(X), C)
    return C.copy_to_host()
