"""copy_to_host is forgotten.

failed: max.gpu.correct
skipped: max.gpu.speedup
"""


def max_gpu(A, B):
    C = cuda.device_array(A.shape, A.dtype)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(A), cuda.to_device(B), C)
    return C
