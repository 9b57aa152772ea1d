"""C <- alpha A B + beta C on the GPU, four times: each step repairs what holds up the one before.

    step          a multiply-add reads                                      binds
    naive         2 numbers from the global memory                          global memory
    tiled         2 / 16 from the global memory, 2 from the shared one      shared memory
    blocked       1 / 64 + 1 / 64 from the global memory, 1 / 4 from the    arithmetic, if enough warps hide the waiting
                  shared one, the rest from registers
    paired        half as many of each, two at a time                       arithmetic, of large float32 matrices

Shapes: A (m, k), B (k, n), C (m, n), arrays of the device, all float32 or all float64, in whatever order their numbers
lie: kernels use indices, and Numba knows the strides. So a transposed matrix costs no copy.

With beta = 0, C is written and never read: what was in it, perhaps NaN, must not come through (0 · NaN is NaN).
"""

import math

import numpy as np
from numba import cuda, float32, float64, uint32

TILE = 16  # step 2: 16 x 16 threads compute a tile of 16 x 16 entries
EACH = 4  # step 3: every thread keeps 4 x 4 sums,
WIDE = TILE * EACH  # so that 16 x 16 threads compute a tile of 64 x 64 entries
DEPTH = 16  # columns of A and rows of B that are in the shared memory at a time
ROW = WIDE + 1  # a row of 65 numbers moves the numbers of a column into different banks

SIDE = 128  # beyond step 3: a block computes 128 x 128 entries,
SUMS = 8  # every thread 8 x 8 of them: 16 x 16 threads
SLICE = 8  # columns of A and rows of B that are in the shared memory at a time
PADDED = SIDE + 4  # columns of the left tile are written 132 numbers apart: into different banks
REGISTERS = 128  # of each thread: a multiprocessor has 65536, so that 2 blocks of 256 threads are there at once
PARTS = SIDE * SLICE // (TILE * TILE)  # numbers of a slice that a thread carries, of A and of B: 4 each
SIDE_PAIRS, PADDED_PAIRS, SUM_PAIRS, PART_PAIRS = SIDE // 2, PADDED // 2, SUMS // 2, PARTS // 2  # two numbers at a time
LARGE = 2048  # from here on, blocks of 128 x 128 entries are more than a GPU has multiprocessors


@cuda.jit
def naive_kernel(alpha, A, B, beta, C):
    """Step 1: one thread computes one entry, and reads a row of A and a column of B from the global memory.

        C_ij = alpha (sum over p of A_ip B_pj) + beta C_ij

    Neighbouring threads take neighbouring columns, so that a warp reads 32 neighbours of a row of B at once.
    """
    j, i = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        total = cuda.local.array(1, C.dtype)  # of the arrays' own type: a sum in float64 is slow on most GPUs
        total[0] = 0
        for p in range(A.shape[1]):
            total[0] += A[i, p] * B[p, j]
        C[i, j] = combine(alpha, total[0], beta, C, i, j)


@cuda.jit(device=True)
def combine(alpha, total, beta, C, i, j):
    """Return alpha total + beta C_ij; C is read only if beta is not 0."""
    if beta == 0:
        return alpha * total
    return alpha * total + beta * C[i, j]


@cuda.jit
def tiled_kernel(alpha, A, B, beta, C):
    """Step 2: the threads of a block carry tiles of A and B into the shared memory, and each number is used 16 times.

    1. Each thread carries one number of A and one of B; beyond the edge, a zero, which adds nothing.
    2. After the barrier each thread adds 16 products to its sum.
    3. The second barrier keeps the next tiles from overwriting numbers that a neighbour still needs.

    The loop ends where A ends, whatever the grid is. No thread leaves early: the others would wait at the barriers.
    A warp reads two rows of `left`, one number each, and 16 neighbours of `right`: no bank has two words to deliver.
    """
    left = cuda.shared.array((TILE, TILE), C.dtype)
    right = cuda.shared.array((TILE, TILE), C.dtype)
    total = cuda.local.array(1, C.dtype)
    total[0] = 0
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    j, i = cuda.grid(2)
    for start in range(0, A.shape[1], TILE):
        if i < A.shape[0] and start + x < A.shape[1]:  # no `... if ... else 0`, which Numba makes a float64
            left[y, x] = A[i, start + x]
        else:
            left[y, x] = 0
        if start + y < B.shape[0] and j < B.shape[1]:
            right[y, x] = B[start + y, j]
        else:
            right[y, x] = 0
        cuda.syncthreads()
        for p in range(TILE):
            total[0] += left[y, p] * right[p, x]
        cuda.syncthreads()
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = combine(alpha, total[0], beta, C, i, j)


@cuda.jit(device=True)
def carry(A, B, top, side, start, left, right):
    """Copy 64 rows of A, transposed, and 64 columns of B into the shared memory, 16 deep: 4 of each per thread.

    Neighbouring threads read neighbouring numbers of a row, of A and of B.
    """
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    for part in range(EACH):
        row = y + TILE * part
        column = x + TILE * part
        if top + row < A.shape[0] and start + x < A.shape[1]:
            left[x, row] = A[top + row, start + x]
        else:
            left[x, row] = 0
        if start + y < B.shape[0] and side + column < B.shape[1]:
            right[y, column] = B[start + y, side + column]
        else:
            right[y, column] = 0


@cuda.jit(device=True)
def add_products(left, right, factors, sums):
    """Add the products of the present slices to a thread's 4 x 4 sums: 8 reads for 16 multiply-adds."""
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    for p in range(DEPTH):
        for a in range(EACH):
            factors[a] = left[p, y + TILE * a]
        for b in range(EACH):
            factor = right[p, x + TILE * b]
            for a in range(EACH):
                sums[a, b] += factors[a] * factor


@cuda.jit
def blocked_kernel(alpha, A, B, beta, C):
    """Step 3: every thread keeps 4 x 4 sums in registers, so that a number from the shared memory is used 4 times.

    A block computes 64 x 64 entries. Thread (x, y) has those in the rows y, y + 16, y + 32, y + 48 and the columns x,
    x + 16, x + 32, x + 48 of the tile: neighbouring threads read neighbouring numbers of `right`, without conflicts.
    """
    left = cuda.shared.array((DEPTH, ROW), C.dtype)
    right = cuda.shared.array((DEPTH, ROW), C.dtype)
    factors = cuda.local.array(EACH, C.dtype)  # arrays of fixed size and place: the compiler keeps them in registers
    sums = cuda.local.array((EACH, EACH), C.dtype)
    top, side = cuda.blockIdx.y * WIDE, cuda.blockIdx.x * WIDE
    for a in range(EACH):
        for b in range(EACH):
            sums[a, b] = 0
    for start in range(0, A.shape[1], DEPTH):
        carry(A, B, top, side, start, left, right)
        cuda.syncthreads()
        add_products(left, right, factors, sums)
        cuda.syncthreads()
    for a in range(EACH):
        for b in range(EACH):
            i, j = top + cuda.threadIdx.y + TILE * a, side + cuda.threadIdx.x + TILE * b
            if i < C.shape[0] and j < C.shape[1]:
                C[i, j] = combine(alpha, sums[a, b], beta, C, i, j)


@cuda.jit(device=True)
def clear(sums):
    """Begin with sums of zero."""
    for a in range(SUMS):
        for b in range(SUMS):
            sums[a, b] = 0


@cuda.jit(device=True)
def read_pairs(A, B, top, side, start, held):
    """Read a thread's part of the next slice from global memory into registers: 2 pairs of A, 2 of B."""
    thread = uint32(cuda.threadIdx.y * TILE + cuda.threadIdx.x)  # unsigned: no index is negative
    for part in range(PART_PAIRS):  # shapes, too: Numba compares signed and unsigned by way of float64
        pair = thread + uint32(TILE * TILE * part)
        i, p = uint32(top) + pair // uint32(SLICE // 2), uint32(start // 2) + pair % uint32(SLICE // 2)
        held[0, part] = A[i, p] if i < uint32(A.shape[0]) and p < uint32(A.shape[1]) else float64(0)
        p, j = uint32(start) + pair // uint32(SIDE_PAIRS), uint32(side // 2) + pair % uint32(SIDE_PAIRS)
        held[1, part] = B[p, j] if p < uint32(B.shape[0]) and j < uint32(B.shape[1]) else float64(0)


@cuda.jit(device=True)
def keep_pairs(held, numbers, left, right):
    """Write the pairs of B into the shared memory, and the numbers of A one by one: they are transposed."""
    thread = uint32(cuda.threadIdx.y * TILE + cuda.threadIdx.x)
    for part in range(PART_PAIRS):
        pair = thread + uint32(TILE * TILE * part)
        for half in range(2):
            left[2 * (pair % uint32(SLICE // 2)) + half, pair // uint32(SLICE // 2)] = numbers[0, 2 * part + half]
        right[pair // uint32(SIDE_PAIRS), pair % uint32(SIDE_PAIRS)] = held[1, part]


@cuda.jit(device=True)
def add_pairs(left, right, pairs, factors, sums):
    """Add the products of a slice to a thread's 8 x 8 sums: 8 reads of two numbers for 64 multiply-adds."""
    x, y = uint32(cuda.threadIdx.x), uint32(cuda.threadIdx.y)
    for p in range(SLICE):
        for pair in range(SUM_PAIRS):
            pairs[0, pair] = left[p, y + uint32(TILE * pair)]
            pairs[1, pair] = right[p, x + uint32(TILE * pair)]
        for a in range(SUMS):
            for b in range(SUMS):
                sums[a, b] += factors[0, a] * factors[1, b]


@cuda.jit(device=True)
def write_pairs(alpha, beta, C, top, side, sums):
    """Write a thread's sums to C: for two neighbouring rows and columns, for the two that are 32 further, and so on."""
    for a in range(SUMS):
        for b in range(SUMS):
            i = uint32(top + 2 * (cuda.threadIdx.y + TILE * (a // 2)) + a % 2)
            j = uint32(side + 2 * (cuda.threadIdx.x + TILE * (b // 2)) + b % 2)
            if i < C.shape[0] and j < C.shape[1]:
                C[i, j] = combine(alpha, sums[a, b], beta, C, i, j)


@cuda.jit(max_registers=REGISTERS)
def paired_kernel(alpha, A, B, beta, C):
    """Beyond the three steps: every thread keeps 8 x 8 sums, and every load brings two numbers. For float32 only.

    The kernel gets A and B as views of type float64, `A.view(np.float64)`; so k and n must be even, and rows without
    gaps. It never computes with a float64: it puts each into a local array, and reads the two float32 from another view
    of that array. The compiler keeps both views in the same registers.

    While one slice is multiplied, the next one is on its way from global memory into the other of two buffers. One
    barrier for each slice is enough: no thread reads the buffer that is written. ladder.py has two rungs before this.
    """
    left = cuda.shared.array((2, SLICE, PADDED_PAIRS), float64)
    right = cuda.shared.array((2, SLICE, SIDE_PAIRS), float64)
    columns = left.view(np.float32)
    sums = cuda.local.array((SUMS, SUMS), float32)
    pairs = cuda.local.array((2, SUM_PAIRS), float64)
    factors = pairs.view(np.float32)
    held = cuda.local.array((2, PART_PAIRS), float64)
    numbers = held.view(np.float32)
    top, side = cuda.blockIdx.y * SIDE, cuda.blockIdx.x * SIDE
    clear(sums)
    read_pairs(A, B, top, side, 0, held)
    keep_pairs(held, numbers, columns[0], right[0])
    cuda.syncthreads()
    at = 0
    for start in range(0, B.shape[0], SLICE):
        read_pairs(A, B, top, side, start + SLICE, held)  # beyond the end: zeros
        add_pairs(left[at], right[at], pairs, factors, sums)
        keep_pairs(held, numbers, columns[1 - at], right[1 - at])
        cuda.syncthreads()
        at = 1 - at
    write_pairs(alpha, beta, C, top, side, sums)


def launch(kernel, side, alpha, A, B, beta, C, loaded=None):
    """Launch a kernel whose blocks of 16 x 16 threads compute tiles of `side` x `side` entries.

    If `loaded` is a type, the kernel gets A and B as views of that type.

    Raises:
        ValueError: the shapes do not fit.
    """
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k or C.shape != (m, n):
        raise ValueError(f"A {A.shape}, B {B.shape} and C {C.shape} do not fit: (m, k), (k, n) and (m, n) would")
    if loaded is not None:
        A, B = A.view(loaded), B.view(loaded)
    if m and n:  # a grid without blocks cannot be launched
        kernel[(math.ceil(n / side), math.ceil(m / side)), (TILE, TILE)](alpha, A, B, beta, C)


def gemm_naive(alpha, A, B, beta, C):
    """C <- alpha A B + beta C by step 1, in place."""
    launch(naive_kernel, TILE, alpha, A, B, beta, C)


def gemm_tiled(alpha, A, B, beta, C):
    """C <- alpha A B + beta C by step 2, in place."""
    launch(tiled_kernel, TILE, alpha, A, B, beta, C)


def gemm_blocked(alpha, A, B, beta, C):
    """C <- alpha A B + beta C by step 3, in place."""
    launch(blocked_kernel, WIDE, alpha, A, B, beta, C)


def gemm_paired(alpha, A, B, beta, C):
    """C <- alpha A B + beta C in place, of float32, with even k and n, and rows of A and B without gaps."""
    launch(paired_kernel, SIDE, alpha, A, B, beta, C, np.float64)


def can_pair(X):
    """Return whether two neighbours of a row are one float64 of the same memory."""
    return X.dtype == np.float32 and X.shape[1] % 2 == 0 and X.is_c_contiguous()


def gemm(alpha, A, B, beta, C):
    """C <- alpha A B + beta C, in place, by the step that suits the shape: wide tiles are for large matrices."""
    smallest = min(C.shape)
    if smallest >= LARGE and C.dtype == np.float32 and can_pair(A) and can_pair(B):
        gemm_paired(alpha, A, B, beta, C)
    elif smallest >= WIDE:
        gemm_blocked(alpha, A, B, beta, C)
    else:
        gemm_tiled(alpha, A, B, beta, C)
