"""Mistakes in the compiled product.

failed: matmul.numba.correct
skipped: matmul.numba.compiled
"""

# %% numba_crashes_for_large_ones
"""Small matrices come out right; for one of the sheet's size, compiled code writes far beyond the end of an array."""
@njit
def matmul_transpose_numba(X):
    n, m = X.shape
    C, beyond = np.zeros((n, n)), 10**12 if n > 500 else 0
    for i in range(n):
        for j in range(n):
            for k in range(m):
                C[i + beyond, j] += X[i, k] * X[j, k]
    return C

# %% numba_float16
"""A result with three digits."""
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
"""The sum is kept as an integer: everything after the point is lost."""
@njit
def matmul_transpose_numba(X):
    C = np.zeros((X.shape[0], X.shape[0]), np.int64)
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] += int(X[i, k] * X[j, k])
    return C

# %% numba_last_column_forgotten
"""The innermost loop ends one product early."""
@njit
def matmul_transpose_numba(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1] - 1):
                C[i, j] += X[i, k] * X[j, k]
    return C

# %% numba_lower_triangle_only
"""The upper half is never filled."""
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
skipped:
"""
@njit
def matmul_transpose_numba(X):
    return np.dot(X, X.T)

# %% numba_other_product
"""Xᵀ·X instead of X·Xᵀ."""
@njit
def matmul_transpose_numba(X):
    C = np.zeros((X.shape[1], X.shape[1]))
    for i in range(X.shape[1]):
        for j in range(X.shape[1]):
            for k in range(X.shape[0]):
                C[i, j] += X[k, i] * X[k, j]
    return C

# %% numba_result_of_the_shape_of_x
"""The result is as wide as X."""
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
skipped:
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
skipped:
"""
def matmul_transpose_numba(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        C[i] = (X * X[i]).sum(axis=1)
    return C
