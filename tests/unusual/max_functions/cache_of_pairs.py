"""There are only 65,536 pairs of pixels, so that a cache remembers the larger of each.

slow: its neighbours of the same kind are in the fast set
"""

import functools


@functools.lru_cache(maxsize=256 * 256)
def larger(a, b):
    return a if a > b else b


@functools.cache
def launch():
    return max_kernel[1000, 1000]


def max_cpu(A, B):
    C = []
    for row_a, row_b in zip(A.tolist(), B.tolist()):
        C.append(list(map(larger, row_a, row_b)))
    return np.asarray(C)


def max_gpu(A, B):
    d_C = cuda.device_array(A.shape, A.dtype)
    launch()(cuda.to_device(A), cuda.to_device(B), d_C)
    return d_C.copy_to_host()
