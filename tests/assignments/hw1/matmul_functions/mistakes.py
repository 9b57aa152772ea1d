"""Mistakes in `matmul_functions.py`, and what each costs."""

# %% exception_at_import
"""The matrix is read from a file when the module is imported.

failed: matmul.trivial.correct matmul.numba.correct matmul.gpu.correct matmul.gpu.launch
skipped: matmul.numba.compiled
warned: matmul.times matmul.shapes
says: matmul_functions.py
"""
X = np.load("X.npy")

# %% gpu_diagonal_forgotten
"""The loop ends before j = i: the diagonal is never written.

failed: matmul.gpu.correct
"""
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

# %% gpu_half_a_block
"""512 threads, which stride over all elements: the values are right, the launch is not the sheet's.

failed: matmul.gpu.launch
"""
@cuda.jit
def matmul_kernel(X, C):
    for at in range(cuda.threadIdx.x, C.size, cuda.blockDim.x):
        i, j = at // C.shape[1], at % C.shape[1]
        total = 0.0
        for k in range(X.shape[1]):
            total += X[i, k] * X[j, k]
        C[i, j] = total

def matmul_transpose_gpu(X):
    C = cuda.device_array((X.shape[0], X.shape[0]))
    matmul_kernel[1, 512](cuda.to_device(X), C)
    return C.copy_to_host()

# %% gpu_launch_swapped
"""1024 blocks of one thread: the two numbers are exchanged.

failed: matmul.gpu.launch
"""
@cuda.jit
def matmul_kernel(X, C):
    for at in range(cuda.grid(1), C.size, cuda.gridsize(1)):
        i, j = at // C.shape[1], at % C.shape[1]
        total = 0.0
        for k in range(X.shape[1]):
            total += X[i, k] * X[j, k]
        C[i, j] = total

def matmul_transpose_gpu(X):
    C = cuda.device_array((X.shape[0], X.shape[0]))
    matmul_kernel[1024, 1](cuda.to_device(X), C)
    return C.copy_to_host()

# %% gpu_lower_triangle_only
"""C_ij is computed for j up to i, but not written to C_ji.

failed: matmul.gpu.correct
"""
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

# %% gpu_many_blocks
"""One block per row: the values are right, the launch is not the sheet's.

failed: matmul.gpu.launch
"""
@cuda.jit
def matmul_kernel(X, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    if j < C.shape[1]:
        total = 0.0
        for k in range(X.shape[1]):
            total += X[i, k] * X[j, k]
        C[i, j] = total

def matmul_transpose_gpu(X):
    C = cuda.device_array((X.shape[0], X.shape[0]))
    matmul_kernel[X.shape[0], 1024](cuda.to_device(X), C)
    return C.copy_to_host()

# %% gpu_numpy_after_a_launch
"""A kernel is launched, but its result is thrown away and NumPy's returned.

failed: matmul.gpu.correct
"""
def matmul_transpose_gpu(X):
    C = cuda.device_array((X.shape[0], X.shape[0]))
    matmul_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(X), C)
    return np.matmul(X, X.T)

# %% gpu_other_product
"""Xᵀ·X instead of X·Xᵀ.

failed: matmul.gpu.correct
"""
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
"""dtype=int for the result: everything after the point is lost.

failed: matmul.gpu.correct
"""
@cuda.jit
def matmul_kernel(X, C):
    n = X.shape[0]
    for e in range(cuda.threadIdx.x, n * n, 1024):
        s = 0
        for k in range(X.shape[1]):
            s += X[e // n, k] * X[e % n, k]
        C[e // n, e % n] = s

def matmul_transpose_gpu(X):
    C = np.zeros((X.shape[0], X.shape[0]), dtype=int)
    matmul_kernel[1, 1024](X, C)
    return C

# %% gpu_returns_a_device_array
"""copy_to_host is forgotten.

failed: matmul.gpu.correct
"""
def matmul_transpose_gpu(X):
    C = cuda.device_array((X.shape[0], X.shape[0]))
    matmul_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(X), C)
    return C

# %% gpu_rows_beyond_the_block_forgotten
"""32 × 32 threads, one element each: only a corner of 784 × 784 elements is computed.

failed: matmul.gpu.correct
"""
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
"""The sum is carried over from one element to the next.

failed: matmul.gpu.correct
"""
@cuda.jit
def matmul_kernel(X, C):
    total = 0.0
    for at in range(cuda.threadIdx.x, C.size, cuda.blockDim.x):
        i, j = at // C.shape[1], at % C.shape[1]
        for k in range(X.shape[1]):
            total += X[i, k] * X[j, k]
        C[i, j] = total

# %% gpu_tile_loop_over_the_grid
"""The well-known shared-memory example counts its tiles by gridDim.x, which is 1 here: the rest of each sum is lost.

failed: matmul.gpu.correct
"""
TILE = 32

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

failed: matmul.gpu.correct
"""
TILE = 32
ROW = TILE + 1

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
"""The result has the shape of X: the kernel is stopped when it writes beyond the end.

failed: matmul.gpu.correct matmul.gpu.launch
"""
def matmul_transpose_gpu(X):
    C = cuda.to_device(np.zeros(X.shape))
    matmul_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(X), C)
    return C.copy_to_host()

# %% numba_crashes_for_large_ones
"""Small matrices come out right; for one of the sheet's size, compiled code writes far beyond the end of an array.

failed: matmul.numba.correct
skipped: matmul.numba.compiled
"""
@njit
def _product(X, C):
    n, m = X.shape
    beyond = 10**12 if n > 500 else 0
    for i in range(n):
        for j in range(n):
            total = 0.0
            for k in range(m):
                total += X[i, k] * X[j, k]
            C[i + beyond, j] = total

def matmul_transpose_numba(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    _product(X, C)
    return C

# %% numba_float16
"""A result with three digits.

failed: matmul.numba.correct
skipped: matmul.numba.compiled
"""
def matmul_transpose_numba(X):
    return multiply(X).astype(np.float16)

@njit
def multiply(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]
    return C

# %% numba_integer_sum
"""The sum is kept as an integer: everything after the point is lost.

failed: matmul.numba.correct
skipped: matmul.numba.compiled
"""
@njit
def matmul_transpose_numba(X):
    C = np.zeros((X.shape[0], X.shape[0]), np.int64)
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] += int(X[i, k] * X[j, k])
    return C

# %% numba_last_column_forgotten
"""The innermost loop ends one product early.

failed: matmul.numba.correct
skipped: matmul.numba.compiled
"""
@njit
def matmul_transpose_numba(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1] - 1):
                C[i, j] += X[i, k] * X[j, k]
    return C

# %% numba_lower_triangle_only
"""The upper half is never filled.

failed: matmul.numba.correct
skipped: matmul.numba.compiled
"""
@njit
def matmul_transpose_numba(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(i + 1):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]
    return C

# %% numba_numpy_does_the_work
"""np.dot inside njit: compiled, but not one's own loops.

failed: matmul.numba.compiled
"""
@njit
def matmul_transpose_numba(X):
    return np.dot(X, X.T)

# %% numba_other_product
"""Xᵀ·X instead of X·Xᵀ.

failed: matmul.numba.correct
skipped: matmul.numba.compiled
"""
@njit
def matmul_transpose_numba(X):
    C = np.zeros((X.shape[1], X.shape[1]))
    for i in range(X.shape[1]):
        for j in range(X.shape[1]):
            for k in range(X.shape[0]):
                C[i, j] += X[k, i] * X[k, j]
    return C

# %% numba_result_of_the_shape_of_x
"""The result is as wide as X.

failed: matmul.numba.correct
skipped: matmul.numba.compiled
"""
@njit
def matmul_transpose_numba(X):
    C = np.zeros((X.shape[0], X.shape[1]))
    for i in range(X.shape[0]):
        for j in range(X.shape[1]):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]
    return C

# %% numba_three_plain_loops
"""Three loops without a decorator are right, and far too slow for a matrix of the sheet's size.

failed: matmul.numba.compiled
flagged: matmul.numba.correct
limit_s: 6
"""
def matmul_transpose_numba(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]
    return C

# %% numba_without_njit
"""The decorator is on a function that nobody calls; NumPy keeps the plain one fast.

failed: matmul.numba.compiled
"""
def matmul_transpose_numba(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        C[i] = (X * X[i]).sum(axis=1)
    return C

# %% sizes_hard_coded
"""784 and 128 are written into Numba and CUDA: right for the sheet's size, which is what the points are for.

failed:
warned: matmul.shapes
"""
@njit
def matmul_transpose_numba(X):
    C = np.zeros((784, 784))
    for i in range(784):
        for j in range(784):
            for k in range(128):
                C[i, j] += X[i % X.shape[0], k % X.shape[1]] * X[j % X.shape[0], k % X.shape[1]]
    return C

@cuda.jit
def matmul_kernel(X, C):
    for at in range(cuda.threadIdx.x, 784 * 784, 1024):
        total = 0.0
        for k in range(128):
            total += X[at // 784, k] * X[at % 784, k]
        C[at // 784, at % 784] = total

def matmul_transpose_gpu(X):
    C = cuda.device_array((784, 784))
    matmul_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(X), C)
    return C.copy_to_host()

# %% trivial_forgets_to_sum
"""= instead of +=: only the last product stays.

failed: matmul.trivial.correct
slow: decided at 784 × 128, in Python
"""
def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] = X[i, k] * X[j, k]
    return C

# %% trivial_numpy_does_the_work
"""np.dot does it; the sheet asks for three loops.

failed: matmul.trivial.correct
"""
def matmul_transpose_trivial(X):
    return np.dot(X, X.T)

# %% trivial_other_product
"""Xᵀ·X instead of X·Xᵀ.

failed: matmul.trivial.correct
slow: decided at 784 × 128, in Python
"""
def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[1], X.shape[1]))
    for i in range(X.shape[1]):
        for j in range(X.shape[1]):
            for k in range(X.shape[0]):
                C[i, j] += X[k, i] * X[k, j]
    return C

# %% trivial_returns_none
"""The return statement is missing, and nothing is computed.

failed: matmul.trivial.correct
"""
def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))

# %% trivial_sizes_hard_coded
"""784 and 128 in the three loops: correct at the sheet's size, which decides.

failed:
slow: decided at 784 × 128, in Python
"""
def matmul_transpose_trivial(X):
    C = np.zeros((784, 784))
    for i in range(784):
        for j in range(784):
            for k in range(128):
                C[i, j] += X[i, k] * X[j, k]
    return C

# %% trivial_two_loops
"""Two loops, and NumPy for the innermost sum.

failed: matmul.trivial.correct
"""
def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            C[i, j] = np.sum(X[i] * X[j])
    return C

# %% trivial_upper_triangle_only
"""The symmetric half is never filled.

failed: matmul.trivial.correct
slow: decided at 784 × 128, in Python
"""
def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(i, X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]
    return C

# %% trivial_x_times_x
"""X·X instead of X·Xᵀ: the index runs out of the rows' ends.

failed: matmul.trivial.correct
"""
def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[k, j]
    return C

# %% trivial_numpy_for_each_pair_of_rows
"""Two loops, and `np.dot` of two rows.

failed: matmul.trivial.correct
"""
def matmul_transpose_trivial(X):
    n = X.shape[0]
    C = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            C[i, j] = np.dot(X[i], X[j])
    return C
