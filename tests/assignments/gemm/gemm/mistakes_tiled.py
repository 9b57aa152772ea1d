"""Mistakes in the step with shared memory.

failed: gemm.tiled.correct
"""

# %% float64_only
"""Shared and local arrays are of float32, whatever comes in."""
@cuda.jit
def tiled_kernel(alpha, A, B, beta, C):
    left = cuda.shared.array((TILE, TILE), float32)
    right = cuda.shared.array((TILE, TILE), float32)
    total = cuda.local.array(1, float32)
    total[0] = 0
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    j, i = cuda.grid(2)
    for start in range(0, A.shape[1], TILE):
        left[y, x] = A[i, start + x] if i < A.shape[0] and start + x < A.shape[1] else 0
        right[y, x] = B[start + y, j] if start + y < B.shape[0] and j < B.shape[1] else 0
        cuda.syncthreads()
        for p in range(TILE):
            total[0] += left[y, p] * right[p, x]
        cuda.syncthreads()
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = combine(alpha, total[0], beta, C, i, j)

# %% tiled_beta_forgotten
"""Step 2 adds C as it is."""
def gemm_tiled(alpha, A, B, beta, C):
    launch(tiled_kernel, TILE, alpha, A, B, 1.0 if beta else 0.0, C)

# %% tiled_by_columns
"""Step 2 reads its left tile by columns, all of a half warp from one bank.

failed: gemm.conflicts
"""
@cuda.jit
def tiled_kernel(alpha, A, B, beta, C):
    left = cuda.shared.array((TILE, TILE), C.dtype)
    right = cuda.shared.array((TILE, TILE), C.dtype)
    total = cuda.local.array(1, C.dtype)
    total[0] = 0
    y, x = cuda.threadIdx.x, cuda.threadIdx.y
    i, j = cuda.grid(2)
    for start in range(0, A.shape[1], TILE):
        left[y, x] = A[i, start + x] if i < A.shape[0] and start + x < A.shape[1] else 0
        right[y, x] = B[start + y, j] if start + y < B.shape[0] and j < B.shape[1] else 0
        cuda.syncthreads()
        for p in range(TILE):
            total[0] += left[y, p] * right[p, x]
        cuda.syncthreads()
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = combine(alpha, total[0], beta, C, i, j)

def gemm_tiled(alpha, A, B, beta, C):
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k or C.shape != (m, n):
        raise ValueError(f"A {A.shape}, B {B.shape} and C {C.shape} do not fit")
    if m and n:
        tiled_kernel[(math.ceil(m / TILE), math.ceil(n / TILE)), (TILE, TILE)](alpha, A, B, beta, C)

# %% tiled_edge_not_cleared
"""Step 2 leaves in its tile what was there, where A ends."""
@cuda.jit
def tiled_kernel(alpha, A, B, beta, C):
    left = cuda.shared.array((TILE, TILE), C.dtype)
    right = cuda.shared.array((TILE, TILE), C.dtype)
    total = cuda.local.array(1, C.dtype)
    total[0] = 0
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    j, i = cuda.grid(2)
    for start in range(0, A.shape[1], TILE):
        if i < A.shape[0] and start + x < A.shape[1]:
            left[y, x] = A[i, start + x]
        if start + y < B.shape[0] and j < B.shape[1]:
            right[y, x] = B[start + y, j]
        cuda.syncthreads()
        for p in range(TILE):
            total[0] += left[y, p] * right[p, x]
        cuda.syncthreads()
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = combine(alpha, total[0], beta, C, i, j)

# %% tiled_first_barrier_missing
"""Step 2 does not wait until a tile is there."""
@cuda.jit
def tiled_kernel(alpha, A, B, beta, C):
    left = cuda.shared.array((TILE, TILE), C.dtype)
    right = cuda.shared.array((TILE, TILE), C.dtype)
    total = cuda.local.array(1, C.dtype)
    total[0] = 0
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    j, i = cuda.grid(2)
    for start in range(0, A.shape[1], TILE):
        left[y, x] = A[i, start + x] if i < A.shape[0] and start + x < A.shape[1] else 0
        right[y, x] = B[start + y, j] if start + y < B.shape[0] and j < B.shape[1] else 0
        for p in range(TILE):
            total[0] += left[y, p] * right[p, x]
        cuda.syncthreads()
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = combine(alpha, total[0], beta, C, i, j)

# %% tiled_loops_over_the_grid
"""Step 2 takes as many tiles of A as the grid is wide: right for square matrices only."""
@cuda.jit
def tiled_kernel(alpha, A, B, beta, C):
    left = cuda.shared.array((TILE, TILE), C.dtype)
    right = cuda.shared.array((TILE, TILE), C.dtype)
    total = cuda.local.array(1, C.dtype)
    total[0] = 0
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    j, i = cuda.grid(2)
    for start in range(0, cuda.gridDim.x * TILE, TILE):
        left[y, x] = A[i, start + x] if i < A.shape[0] and start + x < A.shape[1] else 0
        right[y, x] = B[start + y, j] if start + y < B.shape[0] and j < B.shape[1] else 0
        cuda.syncthreads()
        for p in range(TILE):
            total[0] += left[y, p] * right[p, x]
        cuda.syncthreads()
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = combine(alpha, total[0], beta, C, i, j)

# %% tiled_threads_leave_early
"""Step 2 sends threads beyond the edge away before the barrier."""
@cuda.jit
def tiled_kernel(alpha, A, B, beta, C):
    left = cuda.shared.array((TILE, TILE), C.dtype)
    right = cuda.shared.array((TILE, TILE), C.dtype)
    total = cuda.local.array(1, C.dtype)
    total[0] = 0
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    j, i = cuda.grid(2)
    if i >= C.shape[0] or j >= C.shape[1]:
        return
    for start in range(0, A.shape[1], TILE):
        left[y, x] = A[i, start + x] if i < A.shape[0] and start + x < A.shape[1] else 0
        right[y, x] = B[start + y, j] if start + y < B.shape[0] and j < B.shape[1] else 0
        cuda.syncthreads()
        for p in range(TILE):
            total[0] += left[y, p] * right[p, x]
        cuda.syncthreads()
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = combine(alpha, total[0], beta, C, i, j)

# %% tiled_whole_tiles_only
"""Step 2 leaves out the last tile, which is not full."""
@cuda.jit
def tiled_kernel(alpha, A, B, beta, C):
    left = cuda.shared.array((TILE, TILE), C.dtype)
    right = cuda.shared.array((TILE, TILE), C.dtype)
    total = cuda.local.array(1, C.dtype)
    total[0] = 0
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    j, i = cuda.grid(2)
    for start in range(0, A.shape[1] // TILE * TILE, TILE):
        left[y, x] = A[i, start + x] if i < A.shape[0] and start + x < A.shape[1] else 0
        right[y, x] = B[start + y, j] if start + y < B.shape[0] and j < B.shape[1] else 0
        cuda.syncthreads()
        for p in range(TILE):
            total[0] += left[y, p] * right[p, x]
        cuda.syncthreads()
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = combine(alpha, total[0], beta, C, i, j)

# %% tiled_without_tiles
"""Step 2 is step 1.

failed: gemm.tiled.counts
"""
def gemm_tiled(alpha, A, B, beta, C):
    launch(naive_kernel, TILE, alpha, A, B, beta, C)
