"""C <- alpha A B + beta C on the GPU, three times: each step repairs what holds up the one before.

    step          a multiply-add reads                                      binds
    naive         2 numbers from the global memory                          global memory
    tiled         2 / 16 from the global memory, 2 from the shared one      shared memory
    blocked       1 / 64 + 1 / 64 from the global memory, 1 / 4 from the    arithmetic, if enough warps hide the waiting
                  shared one, the rest from registers

Shapes: A (m, k), B (k, n), C (m, n), arrays of the device, all float32 or all float64, in whatever order their numbers
lie: kernels use indices, and Numba knows the strides. So a transposed matrix costs no copy.

With beta = 0, C is written and never read: what was in it, perhaps NaN, must not come through (0 · NaN is NaN).
"""

import math

from numba import cuda

TILE = 16  # step 2: 16 x 16 threads compute a tile of 16 x 16 entries
EACH = 4  # step 3: every thread keeps 4 x 4 sums,
WIDE = TILE * EACH  # so that 16 x 16 threads compute a tile of 64 x 64 entries
DEPTH = 16  # columns of A and rows of B that are in the shared memory at a time
ROW = WIDE + 1  # a row of 65 numbers moves the numbers of a column into different banks


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

    The loop ends where A ends, whatever the grid; and no thread leaves early, as all are waited for at the barriers.
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
    """Copy 64 rows of A, transposed, and 64 columns of B into the shared memory, 16 deep: 4 numbers of each a thread.

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
    """Add to a thread's 4 x 4 sums what the slices at hand contribute: 8 reads for 16 multiply-adds."""
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


def launch(kernel, side, alpha, A, B, beta, C):
    """Launch a kernel whose blocks of 16 x 16 threads compute tiles of `side` x `side` entries.

    Raises:
        ValueError: the shapes do not fit.
    """
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k or C.shape != (m, n):
        raise ValueError(f"A {A.shape}, B {B.shape} and C {C.shape} do not fit: (m, k), (k, n) and (m, n) would")
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


def gemm(alpha, A, B, beta, C):
    """C <- alpha A B + beta C, in place, by the step that suits the shape: wide tiles are for large matrices."""
    wide = C.shape[0] >= WIDE and C.shape[1] >= WIDE
    (gemm_blocked if wide else gemm_tiled)(alpha, A, B, beta, C)
