"""A kernel is launched, but its result is thrown away and NumPy's returned.

failed: matmul.gpu.correct
"""


def matmul_transpose_gpu(X):
    C = cuda.device_array((X.shape[0], X.shape[0]))
    matmul_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(X), C)
    return np.matmul(X, X.T)
