"""NumPy instead of the kernel.

failed: max.gpu.correct max.gpu.launch
skipped: max.gpu.speedup
says: max_
"""


def max_gpu(A, B):
    return np.maximum(A, B)
