"""Compiled code and kernels get their arrays in named tuples, and write the answer into one of these.

slow: its neighbours of the same kind are in the fast set
"""

from typing import NamedTuple


class Size(NamedTuple):
    rows: int
    columns: int = 1000


class Arrays(NamedTuple):
    first: np.ndarray
    second: np.ndarray
    result: np.ndarray


@njit
def fill(arrays, size):
    for i in range(size.rows):
        for j in range(size.columns):
            a, b = arrays.first[i, j], arrays.second[i, j]
            arrays.result[i, j] = a if a > b else b


def max_numba(A, B):
    size = Size(*A.shape)
    arrays = Arrays(A, B, np.empty(size, A.dtype))
    fill(arrays, size)
    return arrays.result


@cuda.jit
def max_kernel(arrays, size):
    for i in range(cuda.blockIdx.x, size.rows, cuda.gridDim.x):
        for j in range(cuda.threadIdx.x, size.columns, cuda.blockDim.x):
            a, b = arrays.first[i, j], arrays.second[i, j]
            arrays.result[i, j] = a if a > b else b


def max_gpu(A, B):
    size = Size(A.shape[0])._replace(columns=A.shape[1])
    arrays = Arrays(cuda.to_device(A), cuda.to_device(B), cuda.device_array(size, A.dtype))
    max_kernel[BLOCKS, THREADS_PER_BLOCK](arrays, size)
    return arrays.result.copy_to_host()
