"""Ladders of kernels: each rung does the same as the one below and repairs its worst habit. A lecture in code.

The topmost rungs are the reference's own `max_kernel` and `matmul_kernel`. `make ladder` holds every rung against the
one below, counts what it costs, and times it where there is a GPU; docs/kernels.md has the table and the arithmetic.
"""

import numpy as np
from matmul_functions import matmul_kernel, matmul_transpose_trivial
from max_functions import max_cpu, max_gpu, max_kernel
from numba import cuda, float64

THREADS = 1024
TILE = 32  # a tile has one entry per thread: 32 x 32 = 1024
PADDED = TILE + 1


@cuda.jit
def max_by_columns(A, B, C):
    """Rung 1 of the maximum: block x works on column x, thread y of the block on row y.

    Right, but neighbouring threads touch numbers a whole row apart: each of a warp's 32 numbers of 8 bytes needs a
    memory transaction of 32 bytes of its own.
    """
    for j in range(cuda.blockIdx.x, C.shape[1], cuda.gridDim.x):
        for i in range(cuda.threadIdx.x, C.shape[0], cuda.blockDim.x):
            if A[i, j] > B[i, j]:
                C[i, j] = A[i, j]
            else:
                C[i, j] = B[i, j]


@cuda.jit
def max_by_rows(A, B, C):
    """Rung 2 of the maximum: neighbouring threads touch neighbouring numbers, 32 of them in 8 sectors of 32 bytes.

    But a warp whose numbers are larger now in A, now in B, is split: it reads A again, then B again, and writes C in
    two parts. `max_kernel` reads both once and writes once.
    """
    for i in range(cuda.blockIdx.x, C.shape[0], cuda.gridDim.x):
        for j in range(cuda.threadIdx.x, C.shape[1], cuda.blockDim.x):
            if A[i, j] > B[i, j]:
                C[i, j] = A[i, j]
            else:
                C[i, j] = B[i, j]


def max_of_host_arrays(A, B):
    """Rung 1 of the maximum's copies: hand NumPy arrays to the kernel.

    Numba cannot know what the kernel reads and writes: it copies A, B and C to the GPU and all three back, 48 MB.
    `max_gpu` copies A and B there and C back, 24 MB.
    """
    C = np.empty(A.shape, A.dtype)  # (rows, columns)
    max_kernel[1000, 1000](A, B, C)
    return C  # (rows, columns)


@cuda.jit
def multiply_from_global(X, C):
    """Rung 1 of X @ X.T: thread t computes the entries t, t + 1024, ... and reads all from the global memory.

    Every multiply-add reads two numbers of X. A warp's 32 threads have the same i and neighbouring j, so that X_jk lies
    in 32 different rows of X.
    """
    n, m = X.shape
    for entry in range(cuda.threadIdx.x, n * n, THREADS):
        i = entry // n
        j = entry % n
        total = 0.0
        for k in range(m):
            total += X[i, k] * X[j, k]
        C[i, j] = total


@cuda.jit
def multiply_by_tiles(X, C):
    """Rung 2: tiles of 32 x 32 entries; rows of X come to the shared memory once per tile and are read there 32 times.

    The threads of a warp read right[x, k], 32 rows apart by 32 numbers of 8 bytes: all in the same two banks.
    """
    left = cuda.shared.array((TILE, TILE), float64)
    right = cuda.shared.array((TILE, TILE), float64)
    y = cuda.threadIdx.x // TILE
    x = cuda.threadIdx.x % TILE
    n, m = X.shape
    for top in range(0, n, TILE):
        for side in range(0, n, TILE):
            total = 0.0
            for start in range(0, m, TILE):
                left[y, x] = X[top + y, start + x] if top + y < n and start + x < m else 0.0
                right[y, x] = X[side + y, start + x] if side + y < n and start + x < m else 0.0
                cuda.syncthreads()
                for k in range(TILE):
                    total += left[y, k] * right[x, k]
                cuda.syncthreads()
            if top + y < n and side + x < n:
                C[top + y, side + x] = total


@cuda.jit
def multiply_without_conflicts(X, C):
    """Rung 3: rows of 33 numbers instead of 32 move the entries of a column into different banks."""
    left = cuda.shared.array((TILE, PADDED), float64)
    right = cuda.shared.array((TILE, PADDED), float64)
    y = cuda.threadIdx.x // TILE
    x = cuda.threadIdx.x % TILE
    n, m = X.shape
    for top in range(0, n, TILE):
        for side in range(0, n, TILE):
            total = 0.0
            for start in range(0, m, TILE):
                left[y, x] = X[top + y, start + x] if top + y < n and start + x < m else 0.0
                right[y, x] = X[side + y, start + x] if side + y < n and start + x < m else 0.0
                cuda.syncthreads()
                for k in range(TILE):
                    total += left[y, k] * right[x, k]
                cuda.syncthreads()
            if top + y < n and side + x < n:
                C[top + y, side + x] = total


@cuda.jit
def multiply_one_half(X, C):
    """Rung 4: C is symmetric, so only tiles on and below the diagonal are computed, and each sum is written twice."""
    left = cuda.shared.array((TILE, PADDED), float64)
    right = cuda.shared.array((TILE, PADDED), float64)
    y = cuda.threadIdx.x // TILE
    x = cuda.threadIdx.x % TILE
    n, m = X.shape
    for top in range(0, n, TILE):
        for side in range(0, top + 1, TILE):
            i = top + y
            j = side + x
            total = 0.0
            for start in range(0, m, TILE):
                left[y, x] = X[i, start + x] if i < n and start + x < m else 0.0
                right[y, x] = X[side + y, start + x] if side + y < n and start + x < m else 0.0
                cuda.syncthreads()
                for k in range(TILE):
                    total += left[y, k] * right[x, k]
                cuda.syncthreads()
            if j <= i < n:
                C[i, j] = total
                C[j, i] = total


COPIES = (max_cpu, max_of_host_arrays, max_gpu)
"""Functions of A and B; the first is in plain Python."""

MAX_KERNELS = (max_by_columns, max_by_rows, max_kernel)
"""Kernels of A, B and C, each launched with 1000 blocks of 1000 threads."""

MATMUL_KERNELS = (
    multiply_from_global,
    multiply_by_tiles,
    multiply_without_conflicts,
    multiply_one_half,
    matmul_kernel,
)
"""Kernels of X and C, each launched with one block of 1024 threads; the lowest is held against `GROUND`."""

GROUND = matmul_transpose_trivial
