"""copy_to_host is forgotten.

failed: matmul.gpu.correct
"""


def matmul_transpose_gpu(X):
    C = cuda.device_array((X.shape[0], X.shape[0]))
    matmul_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(X), C)
    return C
