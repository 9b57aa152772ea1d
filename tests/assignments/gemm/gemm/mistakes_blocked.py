"""Mistakes in step 3 of the ladder.

failed: gemm.blocked.correct
"""

# %% blocked_is_tiled
"""Step 3 is step 2.

failed: gemm.blocked.counts
"""
def gemm_blocked(alpha, A, B, beta, C):
    launch(tiled_kernel, TILE, alpha, A, B, beta, C)

# %% blocked_last_barrier_missing
"""Step 3 overwrites tiles that neighbours still read."""
@cuda.jit
def blocked_kernel(alpha, A, B, beta, C):
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
    for a in range(EACH):
        for b in range(EACH):
            i, j = top + cuda.threadIdx.y + TILE * a, side + cuda.threadIdx.x + TILE * b
            if i < C.shape[0] and j < C.shape[1]:
                C[i, j] = combine(alpha, sums[a, b], beta, C, i, j)

# %% blocked_second_sum_wrong
"""Step 3 adds to the wrong sum."""
@cuda.jit(device=True)
def add_products(left, right, factors, sums):
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    for p in range(DEPTH):
        for a in range(EACH):
            factors[a] = left[p, y + TILE * a]
        for b in range(EACH):
            factor = right[p, x + TILE * b]
            for a in range(EACH):
                sums[b, a] += factors[a] * factor

# %% blocked_shape_is_an_expression
"""The shape of a shared array is computed inside the kernel, which Numba cannot compile.

failed: gemm.blocked.correct gemm.blocked.counts
"""
@cuda.jit
def blocked_kernel(alpha, A, B, beta, C):
    """Step 3: every thread keeps 4 x 4 sums in registers, so that a number from the shared memory is used 4 times."""
    left = cuda.shared.array((DEPTH, WIDE + 1), C.dtype)
    right = cuda.shared.array((DEPTH, WIDE + 1), C.dtype)
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

# %% blocked_sums_not_cleared
"""Step 3 begins with whatever was in memory.

flagged: gemm.blocked.correct
failed:
"""
@cuda.jit
def blocked_kernel(alpha, A, B, beta, C):
    left = cuda.shared.array((DEPTH, ROW), C.dtype)
    right = cuda.shared.array((DEPTH, ROW), C.dtype)
    factors = cuda.local.array(EACH, C.dtype)  # arrays of fixed size and place: the compiler keeps them in registers
    sums = cuda.local.array((EACH, EACH), C.dtype)
    top, side = cuda.blockIdx.y * WIDE, cuda.blockIdx.x * WIDE
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

# %% blocked_with_neighbours
"""Each thread of step 3 takes neighbouring columns: lanes are 4 numbers apart, and meet in banks.

failed: gemm.conflicts
"""
@cuda.jit(device=True)
def add_products(left, right, factors, sums):
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    for p in range(DEPTH):
        for a in range(EACH):
            factors[a] = left[p, y + TILE * a]
        for b in range(EACH):
            factor = right[p, EACH * x + b]
            for a in range(EACH):
                sums[a, b] += factors[a] * factor

@cuda.jit
def blocked_kernel(alpha, A, B, beta, C):
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
            i, j = top + cuda.threadIdx.y + TILE * a, side + EACH * cuda.threadIdx.x + b
            if i < C.shape[0] and j < C.shape[1]:
                C[i, j] = combine(alpha, sums[a, b], beta, C, i, j)

# %% blocked_writes_without_bounds
"""Step 3 looks at the rows only before it writes."""
@cuda.jit
def blocked_kernel(alpha, A, B, beta, C):
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
            if i < C.shape[0]:
                C[i, j] = combine(alpha, sums[a, b], beta, C, i, j)
