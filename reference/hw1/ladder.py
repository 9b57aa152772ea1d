"""Ladders of kernels: each rung does the same as the one below and repairs its worst habit. A lecture in code.

The reference's own kernels are rungs of them: `max_kernel` the topmost, `matmul_kernel` the last but one. `make ladder`
compares every rung with the one below, counts what it costs, and times it if there is a GPU; docs/kernels.md has the
table and the arithmetic.
"""

import numpy as np
from matmul_functions import carry_number, matmul_kernel, matmul_transpose_trivial
from max_functions import max_cpu, max_gpu, max_kernel
from numba import cuda, float64, uint32

THREADS = 1024
TILE = 32  # a tile has one entry per thread: 32 x 32 = 1024
PADDED = TILE + 1
EACH = 4  # in the topmost rung, every thread keeps 4 x 4 sums in its registers
WIDE = TILE * EACH  # so that its tile of C has 128 x 128 entries
SLICE = 16  # columns of X in the shared memory at a time: 2 x 128 x 17 x 8 bytes = 34 KiB, of 48 KiB at most
WIDE_ROW = SLICE + 1  # a row of 17 numbers moves the entries of a column into different banks
REGISTERS = 64  # of each thread: a multiprocessor has 65536, and 1024 threads share them


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


@cuda.jit(device=True)
def _carry_slice(X, top, start, tile, thread):
    """Copy 128 rows and 16 columns of X into the shared memory, two numbers per thread."""
    for number in range(thread, WIDE * SLICE, THREADS):
        row = number // SLICE
        column = number % SLICE
        carry_number(X, top + row, start + column, tile, row, column)


@cuda.jit(device=True)
def _clear(sums):
    """Begin anew with sums of zero."""
    for i in range(EACH):
        for j in range(EACH):
            sums[i, j] = 0.0


@cuda.jit(device=True)
def _add_products(left, right, y, x, sums):
    """Add the products of the present slice to a thread's 4 x 4 sums: 8 reads per 16 multiply-adds."""
    factors = cuda.local.array(EACH, float64)  # the compiler keeps arrays of fixed size and place in registers
    for k in range(SLICE):
        for i in range(EACH):
            factors[i] = left[y + TILE * i, k]
        for j in range(EACH):
            factor = right[x + TILE * j, k]
            for i in range(EACH):
                sums[i, j] += factors[i] * factor


@cuda.jit(device=True)
def _write_sums(C, row, column, sums):
    """Write a thread's sums to C_ij and C_ji, which are equal; another thread writes sums above the diagonal."""
    for a in range(EACH):
        i = row + TILE * a
        if i < C.shape[0]:
            for b in range(EACH):
                j = column + TILE * b
                if j <= i:
                    C[i, j] = sums[a, b]
                    C[j, i] = sums[a, b]


@cuda.jit(max_registers=REGISTERS)
def multiply_in_registers(X, C):
    """Rung 5: 4 x 4 sums per thread, in its registers, so that 8 reads of the shared memory serve 16 multiply-adds.

    C is cut into tiles of 128 x 128 entries. Thread (y, x) computes 4 x 4 entries of the tile at hand, those in the
    rows y, y + 32, y + 64, y + 96 and the columns x, x + 32, x + 64, x + 96:

        C_ij = sum over the slices of 16 columns of X (left_i . right_j)
        left:  128 rows i of X, 16 columns          right: 128 rows j of X, the same columns

    1. All threads carry numbers into the shared memory. Neighbouring threads read neighbouring numbers.
    2. After the barrier, for each of the 16 columns, a thread takes 4 numbers of `left` and 4 of `right` into registers
       and adds their 16 products to its sums. `matmul_kernel`, with one sum per thread, needs 32 reads for that.
    3. The second barrier keeps the next slice from overwriting numbers that a neighbour still needs.

    As in `matmul_kernel`, only tiles on and below the diagonal are computed, the loops end where the data ends, and no
    thread leaves before a barrier.

    What limits it (docs/kernels.md has the whole calculation): a multiprocessor's shared memory serves half a warp's
    numbers of 8 bytes per clock, 32 banks of 4 bytes. Per warp and column of X that is 8 reads x 2 = 16 clocks for
    16 multiply-adds of 32 lanes. The arithmetic needs 16 x 32 / 64 = 8 clocks on an H100 or H200 (64 lanes for double
    precision), so the shared memory binds, at half the peak; 16 clocks on an A100 (32 lanes), where both bind alike;
    256 clocks on a consumer card (2 lanes), where arithmetic binds. But the 28 tiles have 28 x 128 x 128 = 458,752
    entries of C's 614,656, so that X @ X.T by the book takes 0.75 times those clocks: 67 % of the peak of an H200.
    """
    left = cuda.shared.array((WIDE, WIDE_ROW), float64)
    right = cuda.shared.array((WIDE, WIDE_ROW), float64)
    sums = cuda.local.array((EACH, EACH), float64)
    thread = uint32(cuda.threadIdx.x)  # unsigned, so that the compiler knows: no index is negative
    y = thread // uint32(TILE)
    x = thread % uint32(TILE)
    n, m = X.shape
    for top in range(0, n, WIDE):
        for side in range(0, top + 1, WIDE):
            _clear(sums)
            for start in range(0, m, SLICE):
                _carry_slice(X, top, start, left, thread)
                _carry_slice(X, side, start, right, thread)
                cuda.syncthreads()
                _add_products(left, right, y, x, sums)
                cuda.syncthreads()
            _write_sums(C, top + y, side + x, sums)


COPIES = (max_cpu, max_of_host_arrays, max_gpu)
"""Functions of A and B; the first is in plain Python."""

MAX_KERNELS = (max_by_columns, max_by_rows, max_kernel)
"""Kernels of A, B and C, each launched with 1000 blocks of 1000 threads."""

MATMUL_KERNELS = (
    multiply_from_global,
    multiply_by_tiles,
    multiply_without_conflicts,
    matmul_kernel,
    multiply_in_registers,
)
"""Kernels of X and C, each launched with one block of 1024 threads; the lowest is compared with `GROUND`.

Rung 4 is the reference's: C is symmetric, so it computes only tiles on and below the diagonal and writes each sum
twice.
"""

GROUND = matmul_transpose_trivial
