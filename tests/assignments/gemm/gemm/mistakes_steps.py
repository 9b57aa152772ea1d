"""Mistakes in one step of the ladder.

failed: gemm.naive.correct
"""

# %% grid_from_k
"""The width of the grid is computed from k instead of n.

failed: gemm.naive.correct gemm.tiled.correct gemm.blocked.correct gemm.empty
"""
def launch(kernel, side, alpha, A, B, beta, C):
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k or C.shape != (m, n):
        raise ValueError(f"A {A.shape}, B {B.shape} and C {C.shape} do not fit: (m, k), (k, n) and (m, n) would")
    if m and n:  # a grid without blocks cannot be launched
        kernel[(max(1, math.ceil(k / side)), math.ceil(m / side)), (TILE, TILE)](alpha, A, B, beta, C)

# %% naive_beta_forgotten
"""Step 1 leaves out what C held."""
def gemm_naive(alpha, A, B, beta, C):
    launch(naive_kernel, TILE, alpha, A, B, 0.0, C)

# %% naive_by_numpy
"""Step 1 multiplies on the host.

failed: gemm.naive.correct gemm.naive.counts
"""
def gemm_naive(alpha, A, B, beta, C):
    if A.shape[1] != B.shape[0] or C.shape != (A.shape[0], B.shape[1]):
        raise ValueError(f"A {A.shape}, B {B.shape} and C {C.shape} do not fit")
    held = alpha * (A.copy_to_host() @ B.copy_to_host())
    C.copy_to_device(held + beta * C.copy_to_host() if beta else held)

# %% naive_forgets_alpha
"""Step 1 does not multiply by alpha."""
def gemm_naive(alpha, A, B, beta, C):
    launch(naive_kernel, TILE, 1.0, A, B, beta, C)

# %% naive_grid_hard_coded
"""Step 1 launches 4 x 4 blocks, whatever the size."""
def gemm_naive(alpha, A, B, beta, C):
    if A.shape[1] != B.shape[0] or C.shape != (A.shape[0], B.shape[1]):
        raise ValueError(f"{A.shape} {B.shape} {C.shape}")
    if C.size:
        naive_kernel[(4, 4), (TILE, TILE)](alpha, A, B, beta, C)

# %% naive_in_shared_memory
"""Step 1 is step 2.

failed: gemm.naive.counts
"""
def gemm_naive(alpha, A, B, beta, C):
    launch(tiled_kernel, TILE, alpha, A, B, beta, C)

# %% naive_last_term_forgotten
"""Step 1 leaves out the last product of each sum."""
@cuda.jit
def naive_kernel(alpha, A, B, beta, C):
    j, i = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        total = cuda.local.array(1, C.dtype)  # of the arrays' own type: a sum in float64 is slow on most GPUs
        total[0] = 0
        for p in range(A.shape[1] - A.shape[1] % 2):
            total[0] += A[i, p] * B[p, j]
        C[i, j] = combine(alpha, total[0], beta, C, i, j)

# %% naive_rounds_the_grid_down
"""Step 1 launches whole blocks only."""
def gemm_naive(alpha, A, B, beta, C):
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k or C.shape != (m, n):
        raise ValueError(f"A {A.shape}, B {B.shape} and C {C.shape} do not fit")
    if m and n:
        naive_kernel[(max(n // TILE, 1), max(m // TILE, 1)), (TILE, TILE)](alpha, A, B, beta, C)

# %% naive_turns_b
"""Step 1 takes rows of B for its columns, and reads beyond B unless all matrices are square."""
@cuda.jit
def naive_kernel(alpha, A, B, beta, C):
    j, i = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        total = 0.0
        for p in range(A.shape[1]):
            total += A[i, p] * B[j, p]
        C[i, j] = combine(alpha, total, beta, C, i, j)

# %% naive_without_bounds
"""Step 1 has a thread too many at the edge: it writes beyond."""
@cuda.jit
def naive_kernel(alpha, A, B, beta, C):
    j, i = cuda.grid(2)
    if i < C.shape[0]:
        total = cuda.local.array(1, C.dtype)  # of the arrays' own type: a sum in float64 is slow on most GPUs
        total[0] = 0
        for p in range(A.shape[1]):
            total[0] += A[i, p] * B[p, j]
        C[i, j] = combine(alpha, total[0], beta, C, i, j)

# %% tiles_of_8
"""Step 2 has tiles of 8 × 8 numbers.

failed: gemm.tiled.counts
"""
SMALL = 8

@cuda.jit
def tiled_kernel(alpha, A, B, beta, C):
    left = cuda.shared.array((SMALL, SMALL), C.dtype)
    right = cuda.shared.array((SMALL, SMALL), C.dtype)
    total = cuda.local.array(1, C.dtype)
    total[0] = 0
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    j, i = cuda.grid(2)
    for start in range(0, A.shape[1], SMALL):
        left[y, x] = A[i, start + x] if i < A.shape[0] and start + x < A.shape[1] else 0
        right[y, x] = B[start + y, j] if start + y < B.shape[0] and j < B.shape[1] else 0
        cuda.syncthreads()
        for p in range(SMALL):
            total[0] += left[y, p] * right[p, x]
        cuda.syncthreads()
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = combine(alpha, total[0], beta, C, i, j)

def gemm_tiled(alpha, A, B, beta, C):
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k or C.shape != (m, n):
        raise ValueError(f"A {A.shape}, B {B.shape} and C {C.shape} do not fit")
    if m and n:
        tiled_kernel[(math.ceil(n / SMALL), math.ceil(m / SMALL)), (SMALL, SMALL)](alpha, A, B, beta, C)
