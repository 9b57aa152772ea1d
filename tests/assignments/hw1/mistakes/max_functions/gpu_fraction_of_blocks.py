"""A.size / 1000 is a float, and no count of blocks.

failed: max.gpu.correct max.gpu.launch
skipped: max.gpu.speedup
"""


def max_gpu(A, B):
    C = np.zeros(A.shape, A.dtype)
    max_kernel[A.size / 1000, 1000](A, B, C)
    return C
