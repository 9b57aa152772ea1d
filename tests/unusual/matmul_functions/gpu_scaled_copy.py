"""X is scaled to at most 1 and copied as float32; the product is scaled back on the host.

slow: its neighbours of the same kind are in the fast set
"""


def matmul_transpose_gpu(X):
    scale = float(np.abs(X).max()) or 1.0
    small = np.ascontiguousarray(X / scale, dtype=np.float32)
    d_C = cuda.device_array((X.shape[0], X.shape[0]), dtype=np.float64)
    matmul_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(small), d_C)
    C = d_C.copy_to_host()
    C *= scale**2
    return C
