"""NumPy arrays go straight into the kernel, which copies them back by itself.

slow: its neighbours of the same kind are in the fast set
"""


def max_gpu(A, B):
    C = np.zeros(A.shape, dtype=A.dtype)
    max_kernel[1000, 1000](A, B, C)
    return C
