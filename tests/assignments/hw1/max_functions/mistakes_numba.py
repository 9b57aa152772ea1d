"""Mistakes in the compiled maximum.

failed: max.numba.correct
skipped: max.numba.compiled
"""

# %% numba_does_not_compile
"""Numba cannot compile a dictionary of lists of unknown types."""
@njit
def max_numba(A, B):
    rows = {}
    for i in range(A.shape[0]):
        rows[i] = [A[i, 0], "text"]
    return rows

# %% numba_index_out_of_bounds
"""Far beyond the end of an array, which compiled code does not check: the process dies.

warned: max.times max.shapes
"""
@njit
def max_numba(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i + 10000000, j] = max(A[i, j], B[i, j])
    return C

# %% numba_minimum
"""The comparison is the wrong way round."""
@njit
def max_numba(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = min(A[i, j], B[i, j])
    return C

# %% numba_one_entry_nan
"""One entry of a million is not a number; an average would hide it, and so would a careless comparison."""
@njit
def max_numba(A, B):
    C = np.empty(A.shape, np.float64)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    if A.shape[0] > 500:
        C[500, 500] = np.nan
    return C

# %% numba_returns_nothing
"""The result is computed and thrown away."""
@njit
def max_numba(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])

# %% numba_without_else
"""Only A's wins are written; where B is larger, zero stays."""
@njit
def max_numba(A, B):
    C = np.zeros(A.shape)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            if A[i, j] > B[i, j]:
                C[i, j] = A[i, j]
    return C
