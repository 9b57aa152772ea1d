"""Mistakes in `matmul_functions.py`, and what each costs.

failed: matmul.trivial.correct
"""

# %% exception_at_import
"""The matrix is read from a file when the module is imported.

failed: matmul.trivial.correct matmul.numba.correct matmul.gpu.correct matmul.gpu.launch
skipped: matmul.numba.compiled
warned: matmul.times matmul.shapes
says: matmul_functions.py
"""
X = np.load("X.npy")

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
"""np.dot does it; the sheet asks for three loops."""
def matmul_transpose_trivial(X):
    return np.dot(X, X.T)

# %% trivial_other_product
"""Xᵀ·X instead of X·Xᵀ.

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
"""The return statement is missing, and nothing is computed."""
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
"""Two loops, and NumPy for the innermost sum."""
def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            C[i, j] = np.sum(X[i] * X[j])
    return C

# %% trivial_upper_triangle_only
"""The symmetric half is never filled.

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
"""X·X instead of X·Xᵀ: the index runs out of the rows' ends."""
def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[k, j]
    return C

# %% trivial_numpy_for_each_pair_of_rows
"""Two loops, and `np.dot` of two rows."""
def matmul_transpose_trivial(X):
    n = X.shape[0]
    C = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            C[i, j] = np.dot(X[i], X[j])
    return C
