"""The kernels of the benchmark: import this where ``numba.cuda`` already is what shall run them.

Executor and simulator run the same source; the simulator replaces the name `cuda` among a kernel's globals.
"""

import math
from typing import Any

from numba import cuda, float64


@cuda.jit
def max_kernel(A: Any, B: Any, C: Any) -> None:  # noqa: N803  # the sheet's names
    """Write the larger of two elements: one block per row, one thread per element, as the sheet asks."""
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    C[i, j] = max(A[i, j], B[i, j])


@cuda.jit
def gram_kernel(X: Any, C: Any) -> None:  # noqa: N803  # the sheet's names
    """Compute X @ X.T with 32 x 32 tiles in shared memory; loop bounds come from the data."""
    n, m = X.shape
    left = cuda.shared.array((32, 32), float64)
    right = cuda.shared.array((32, 32), float64)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    for row in range(0, n, 32):
        for column in range(0, n, 32):
            total = 0.0
            for start in range(0, m, 32):
                left[ty, tx] = X[row + ty, start + tx] if row + ty < n and start + tx < m else 0.0
                right[ty, tx] = X[column + tx, start + ty] if column + tx < n and start + ty < m else 0.0
                cuda.syncthreads()
                for k in range(32):
                    total += left[ty, k] * right[k, tx]
                cuda.syncthreads()
            if row + ty < n and column + tx < n:
                C[row + ty, column + tx] = total


@cuda.jit
def wait_kernel(times: Any, out: Any) -> None:
    for _ in range(times):
        cuda.syncthreads()
    out[cuda.grid(1)] = times


@cuda.jit
def tiles_kernel(X: Any, C: Any) -> None:  # noqa: N803  # the sheet's names
    """Compute X @ X.T with one block of 16 x 16 threads for each tile; sizes are multiples of 16."""
    left = cuda.shared.array((16, 16), float64)
    right = cuda.shared.array((16, 16), float64)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, column = 16 * cuda.blockIdx.y, 16 * cuda.blockIdx.x
    total = 0.0
    for start in range(0, X.shape[1], 16):
        left[ty, tx] = X[row + ty, start + tx]
        right[ty, tx] = X[column + tx, start + ty]
        cuda.syncthreads()
        for k in range(16):
            total += left[ty, k] * right[k, tx]
        cuda.syncthreads()
    C[row + ty, column + tx] = total


@cuda.jit
def block_sum_kernel(x: Any, sums: Any) -> None:
    part = cuda.shared.array(256, float64)
    t = cuda.threadIdx.x
    part[t] = x[cuda.grid(1)]
    cuda.syncthreads()
    half = 128
    while half:
        if t < half:
            part[t] += part[t + half]
        cuda.syncthreads()
        half //= 2
    if t == 0:
        sums[cuda.blockIdx.x] = part[0]


@cuda.jit
def softmax_kernel(X: Any, out: Any) -> None:  # noqa: N803  # the sheet's names
    """Compute the softmax of each row: a block of 256 threads for a row, with two reductions."""
    part = cuda.shared.array(256, float64)
    t, row, columns = cuda.threadIdx.x, cuda.blockIdx.x, X.shape[1]
    largest = X[row, 0]
    for j in range(t, columns, 256):
        largest = max(largest, X[row, j])
    part[t] = largest
    cuda.syncthreads()
    half = 128
    while half:
        if t < half:
            part[t] = max(part[t], part[t + half])
        cuda.syncthreads()
        half //= 2
    largest = part[0]
    cuda.syncthreads()
    total = 0.0
    for j in range(t, columns, 256):
        out[row, j] = math.exp(X[row, j] - largest)
        total += out[row, j]
    part[t] = total
    cuda.syncthreads()
    half = 128
    while half:
        if t < half:
            part[t] += part[t + half]
        cuda.syncthreads()
        half //= 2
    for j in range(t, columns, 256):
        out[row, j] /= part[0]
