"""Device memory is kept between calls; a context manager and the garbage collector.

slow: its neighbours of the same kind are in the fast set
"""

import contextlib
import gc
_buffers = {}


@contextlib.contextmanager
def profiling():
    yield


def buffer(shape, dtype):
    key = (shape, np.dtype(dtype).str)
    if key not in _buffers:
        _buffers[key] = cuda.device_array(shape, dtype)
    return _buffers[key]


@cuda.jit
def max_kernel(A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    if i < A.shape[0] and j < A.shape[1]:
        C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]


def max_gpu(A, B):
    with profiling():
        d_a = cuda.to_device(A)
        d_b = cuda.to_device(B)
        d_c = buffer(A.shape, A.dtype)
        max_kernel[1000, 1000](d_a, d_b, d_c)
        cuda.synchronize()
        host = np.empty_like(A)
        d_c.copy_to_host(host)
    gc.collect()
    return host


@njit
def max_numba(A, B):
    C = np.full((A.shape[0], A.shape[1]), 0)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j]
            if B[i, j] > A[i, j]:
                C[i, j] = B[i, j]
    return C


def max_cpu(A, B):
    A, B = A.tolist(), B.tolist()
    C = [row[:] for row in A]
    for i, row in enumerate(B):
        for j, value in enumerate(row):
            if value > C[i][j]:
                C[i][j] = value
    return C
