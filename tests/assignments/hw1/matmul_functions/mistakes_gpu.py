"""Mistakes in the kernel of the product, and in what it returns.

failed: matmul.gpu.correct
"""

# %% gpu_diagonal_forgotten
"""The loop ends before j = i: the diagonal is never written."""
@cuda.jit
def matmul_kernel(X, C):
    i = cuda.threadIdx.x
    if i < X.shape[0]:
        for j in range(i):
            s = 0.0
            for k in range(X.shape[1]):
                s += X[i, k] * X[j, k]
            C[i, j] = s
            C[j, i] = s

def matmul_transpose_gpu(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    matmul_kernel[1, 1024](X, C)
    return C

# %% gpu_lower_triangle_only
"""C_ij is computed for j up to i, but not written to C_ji."""
@cuda.jit
def matmul_kernel(X, C):
    for at in range(cuda.threadIdx.x, C.size, cuda.blockDim.x):
        i, j = at // C.shape[1], at % C.shape[1]
        if j <= i:
            total = 0.0
            for k in range(X.shape[1]):
                total += X[i, k] * X[j, k]
            C[i, j] = total
        else:
            C[i, j] = 0.0

# %% gpu_numpy_after_a_launch
"""A kernel is launched, but its result is thrown away and NumPy's returned."""
def matmul_transpose_gpu(X):
    C = cuda.device_array((X.shape[0], X.shape[0]))
    matmul_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(X), C)
    return np.matmul(X, X.T)

# %% gpu_other_product
"""Xᵀ·X instead of X·Xᵀ."""
@cuda.jit
def matmul_kernel(X, C):
    for at in range(cuda.threadIdx.x, C.size, cuda.blockDim.x):
        i, j = at // C.shape[1], at % C.shape[1]
        total = 0.0
        for k in range(X.shape[0]):
            total += X[k, i] * X[k, j]
        C[i, j] = total

def matmul_transpose_gpu(X):
    C = cuda.device_array((X.shape[1], X.shape[1]))
    matmul_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(X), C)
    return C.copy_to_host()

# %% gpu_result_of_integers
"""dtype=int for the result: everything after the point is lost."""
def matmul_transpose_gpu(X):
    C = np.zeros((X.shape[0], X.shape[0]), dtype=int)
    matmul_kernel[1, 1024](X, C)
    return C

# %% gpu_returns_a_device_array
"""copy_to_host is forgotten."""
def matmul_transpose_gpu(X):
    C = cuda.device_array((X.shape[0], X.shape[0]))
    matmul_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(X), C)
    return C

# %% gpu_rows_beyond_the_block_forgotten
"""32 × 32 threads, one element each: only a corner of 784 × 784 elements is computed."""
@cuda.jit
def matmul_kernel(X, C):
    i, j = cuda.threadIdx.y, cuda.threadIdx.x
    if i < C.shape[0] and j < C.shape[1]:
        total = 0.0
        for k in range(X.shape[1]):
            total += X[i, k] * X[j, k]
        C[i, j] = total

def matmul_transpose_gpu(X):
    C = cuda.to_device(np.zeros((X.shape[0], X.shape[0])))
    matmul_kernel[1, (32, 32)](cuda.to_device(X), C)
    return C.copy_to_host()

# %% gpu_sum_not_set_to_zero
"""The sum is carried over from one element to the next."""
@cuda.jit
def matmul_kernel(X, C):
    total = 0.0
    for at in range(cuda.threadIdx.x, C.size, cuda.blockDim.x):
        i, j = at // C.shape[1], at % C.shape[1]
        for k in range(X.shape[1]):
            total += X[i, k] * X[j, k]
        C[i, j] = total

# %% gpu_tile_loop_over_the_grid
"""The well-known shared-memory example counts its tiles by gridDim.x, which is 1 here: the rest of each sum is lost."""
@cuda.jit
def matmul_kernel(X, C):
    left = cuda.shared.array((TILE, TILE), float64)
    right = cuda.shared.array((TILE, TILE), float64)
    y, x = cuda.threadIdx.x // TILE, cuda.threadIdx.x % TILE
    n, m = X.shape
    for top in range(0, n, TILE):
        for side in range(0, n, TILE):
            total = 0.0
            for step in range(cuda.gridDim.x):
                carry_number(X, top + y, step * TILE + x, left, y, x)
                carry_number(X, side + y, step * TILE + x, right, y, x)
                cuda.syncthreads()
                for k in range(TILE):
                    total += left[y, k] * right[x, k]
                cuda.syncthreads()
            if top + y < n and side + x < n:
                C[top + y, side + x] = total

# %% gpu_without_syncthreads
"""Half of a tile is read before the other threads have filled it, because no barrier stands between.

The executor runs threads one after the other between barriers, so that the race shows in every run.
"""
@cuda.jit
def matmul_kernel(X, C):
    left = cuda.shared.array((TILE, ROW), float64)
    right = cuda.shared.array((TILE, ROW), float64)
    y, x = cuda.threadIdx.x // TILE, cuda.threadIdx.x % TILE
    n, m = X.shape
    for top in range(0, n, TILE):
        for side in range(0, n, TILE):
            total = 0.0
            for start in range(0, m, TILE):
                carry_number(X, top + y, start + x, left, y, x)
                carry_number(X, side + y, start + x, right, y, x)
                for k in range(TILE):
                    total += left[y, k] * right[x, k]
            if top + y < n and side + x < n:
                C[top + y, side + x] = total

# %% gpu_wrong_dimension_of_the_result
"""The result has the shape of X: the kernel is stopped when it writes beyond the end."""
def matmul_transpose_gpu(X):
    C = cuda.to_device(np.zeros(X.shape))
    matmul_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(X), C)
    return C.copy_to_host()
