"""The result stays on the device, and the zeros that were sent there are returned.

failed: max.gpu.correct
skipped: max.gpu.speedup
"""


def max_gpu(A, B):
    C = np.zeros(A.shape, A.dtype)
    C_on_gpu = cuda.to_device(C)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(A), cuda.to_device(B), C_on_gpu)
    return C
