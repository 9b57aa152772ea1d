"""A thread takes two columns per step and the odd one at the end, with a device function and constants.

slow: its neighbours of the same kind are in the fast set
"""

from math import ceil

import numba

UNROLL = 2
LAUNCH = BLOCKS_IN_GRID, THREADS_IN_BLOCK = 1, 32 * 32


@cuda.jit(numba.float64(numba.float64[:], numba.float64[:]), device=True)
def dot(u, v):
    even, odd = 0.0, 0.0
    for k in range(0, u.size - UNROLL + 1, UNROLL):
        even += u[k] * v[k]
        odd += u[k + 1] * v[k + 1]
    if u.size % UNROLL:
        even += u[u.size - 1] * v[u.size - 1]
    return even + odd


@cuda.jit(debug=False, opt=True)
def matmul_kernel(X, C, per_thread):
    n = C.shape[0]
    first = cuda.threadIdx.x * per_thread
    for place in range(first, min(first + per_thread, n * n)):
        C[place // n, place % n] = dot(X[place // n, :], X[place % n, :])


def matmul_transpose_gpu(X):
    n = X.shape[0]
    d_C = cuda.device_array((n, n))
    matmul_kernel[LAUNCH](cuda.to_device(X), d_C, ceil(n * n / THREADS_IN_BLOCK))
    return d_C.copy_to_host()
