"""Compiled functions and kernels take tuples of arrays and give tuples of arrays.

slow: its neighbours of the same kind are in the fast set
"""

from typing import NamedTuple


class Pair(NamedTuple):
    A: np.ndarray
    B: np.ndarray


@njit
def both(pair):
    A, B = pair
    larger, smaller = np.empty(A.shape, A.dtype), np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            larger[i, j], smaller[i, j] = max(A[i, j], B[i, j]), min(A[i, j], B[i, j])
    return larger, (smaller, A.shape)


def max_numba(A, B):
    larger, (smaller, shape) = both((A, B))
    assert shape == A.shape
    return larger


def rows_of(pair):
    return tuple(zip(pair.A, pair.B))


def larger_row(rows, out):
    a, b = rows
    for j in range(len(a)):
        out[j] = a[j] if a[j] > b[j] else b[j]
    return rows, out


def max_cpu(A, B):
    results = (np.empty(A.shape, A.dtype), np.zeros(A.shape[0]))
    for i, rows in enumerate(rows_of(Pair(A, B))):
        (a, b), results[0][i] = larger_row(rows, results[0][i])
    return results[0]


@cuda.jit
def max_kernel(pair, out):
    A, B = pair
    C, = out
    for i in range(cuda.blockIdx.x, C.shape[0], cuda.gridDim.x):
        for j in range(cuda.threadIdx.x, C.shape[1], cuda.blockDim.x):
            C[i, j] = max(A[i, j], B[i, j])


def max_gpu(A, B):
    given = tuple(cuda.to_device(M) for M in (A, B))
    out = (cuda.device_array_like(A),)
    max_kernel[1000, 1000](given, out)
    C, = (M.copy_to_host() for M in out)
    return C
