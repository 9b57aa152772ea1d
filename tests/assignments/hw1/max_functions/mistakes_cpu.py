"""Mistakes in the plain loops, and in the file as a whole.

failed: max.cpu.correct
skipped: max.cpu.trivial
"""

# %% cpu_compiled
"""The function that should show how slow plain Python is is compiled by Numba: a TA looks, the points stay.

failed:
flagged: max.cpu.trivial
skipped:
"""
@njit
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    return C

# %% cpu_endless_loop
"""The row number is never raised.

warned: max.times max.shapes
limit_s: 4
"""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    i = 0
    while i < A.shape[0]:
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    return C

# %% cpu_last_column_forgotten
"""The inner loop ends one column early."""
def max_cpu(A, B):
    C = np.zeros(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1] - 1):
            C[i, j] = max(A[i, j], B[i, j])
    return C

# %% cpu_minimum
"""The comparison is the wrong way round."""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] < B[i, j] else B[i, j]
    return C

# %% cpu_overflows_in_small_integers
"""The result is kept in int8, which ends at 127."""
def max_cpu(A, B):
    C = np.zeros(A.shape, np.int8)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% cpu_returns_one_row
"""The return stands inside the outer loop."""
def max_cpu(A, B):
    for i in range(A.shape[0]):
        row = [max(A[i, j], B[i, j]) for j in range(A.shape[1])]
        return row

# %% sizes_hard_coded
"""1000 is written into every function: right for the sheet's size, which is what the points are for.

failed:
warned: max.shapes
skipped:
"""
def max_cpu(A, B):
    C = np.zeros((1000, 1000))
    for i in range(1000):
        for j in range(1000):
            C[i, j] = max(A[i, j], B[i, j])
    return C
