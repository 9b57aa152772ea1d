"""Mistakes in the plain and in the compiled loops.

failed: max.numba.compiled
"""

# %% cpu_compiled
"""The function that should show how slow plain Python is is compiled by Numba: a TA looks, the points stay.

failed:
flagged: max.cpu.trivial
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

failed: max.cpu.correct
skipped: max.cpu.trivial
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
"""The inner loop ends one column early.

failed: max.cpu.correct
skipped: max.cpu.trivial
"""
def max_cpu(A, B):
    C = np.zeros(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1] - 1):
            C[i, j] = max(A[i, j], B[i, j])
    return C

# %% cpu_minimum
"""The comparison is the wrong way round.

failed: max.cpu.correct
skipped: max.cpu.trivial
"""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] < B[i, j] else B[i, j]
    return C

# %% cpu_numpy_does_the_work
"""np.maximum does it; the values are right.

failed: max.cpu.trivial
"""
def max_cpu(A, B):
    return np.maximum(A, B)

# %% cpu_numpy_row_by_row
"""One loop, and NumPy for each row.

failed: max.cpu.trivial
"""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        C[i] = np.where(A[i] > B[i], A[i], B[i])
    return C

# %% cpu_overflows_in_small_integers
"""The result is kept in int8, which ends at 127.

failed: max.cpu.correct
skipped: max.cpu.trivial
"""
def max_cpu(A, B):
    C = np.zeros(A.shape, np.int8)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% cpu_returns_one_row
"""The return stands inside the outer loop.

failed: max.cpu.correct
skipped: max.cpu.trivial
"""
def max_cpu(A, B):
    for i in range(A.shape[0]):
        row = [max(A[i, j], B[i, j]) for j in range(A.shape[1])]
        return row

# %% cpu_sleeps
"""A delay that makes the GPU's speed-up larger.

failed: max.cpu.trivial
"""
import time

def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    time.sleep(0.05)
    return C

# %% exit_at_import
"""The comparison runs at import and ends the program; its guard was removed.

failed: max.cpu.correct max.numba.correct max.gpu.correct max.gpu.launch
skipped: max.cpu.trivial max.numba.compiled max.gpu.speedup
warned: max.times max.shapes
says: max_functions.py
"""
sys.exit(0)

# %% import_of_a_file_not_handed_in
"""A file of one's own was left at home.

failed: max.cpu.correct max.numba.correct max.gpu.correct max.gpu.launch
skipped: max.cpu.trivial max.numba.compiled max.gpu.speedup
warned: max.times max.shapes
says: max_functions.py
"""
from my_comparisons import larger

# %% numba_compiles_numpy
"""np.maximum inside njit: compiled, but not one's own work."""
@njit
def max_numba(A, B):
    return np.maximum(A, B)

# %% numba_does_not_compile
"""Numba cannot compile a dictionary of lists of unknown types.

failed: max.numba.correct
skipped: max.numba.compiled
"""
@njit
def max_numba(A, B):
    rows = {}
    for i in range(A.shape[0]):
        rows[i] = [A[i, 0], "text"]
    return rows

# %% numba_in_object_mode
"""forceobj=True: Numba calls the Python interpreter for every step."""
from numba import jit

@jit(forceobj=True)
def max_numba(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    return C

# %% numba_index_out_of_bounds
"""Far beyond the end of an array, which compiled code does not check: the process dies.

failed: max.numba.correct
skipped: max.numba.compiled
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
"""The comparison is the wrong way round.

failed: max.numba.correct
skipped: max.numba.compiled
"""
@njit
def max_numba(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = min(A[i, j], B[i, j])
    return C

# %% numba_one_entry_nan
"""One entry of a million is not a number; an average would hide it, and so would a careless comparison.

failed: max.numba.correct
skipped: max.numba.compiled
"""
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
"""The result is computed and thrown away.

failed: max.numba.correct
skipped: max.numba.compiled
"""
@njit
def max_numba(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])

# %% numba_without_else
"""Only A's wins are written; where B is larger, zero stays.

failed: max.numba.correct
skipped: max.numba.compiled
"""
@njit
def max_numba(A, B):
    C = np.zeros(A.shape)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            if A[i, j] > B[i, j]:
                C[i, j] = A[i, j]
    return C

# %% numba_without_njit
"""The decorator is missing: this is max_cpu once more."""
def max_numba(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    return C

# %% sizes_hard_coded
"""1000 is written into every function: right for the sheet's size, which is what the points are for.

failed:
warned: max.shapes
"""
def max_cpu(A, B):
    C = np.zeros((1000, 1000))
    for i in range(1000):
        for j in range(1000):
            C[i, j] = max(A[i, j], B[i, j])
    return C

# %% syntax_error
"""An unfinished line at the end of the file.

failed: max.cpu.correct max.numba.correct max.gpu.correct max.gpu.launch
skipped: max.cpu.trivial max.numba.compiled max.gpu.speedup
warned: max.times max.shapes
says: max_functions.py
"""
max_cpu(

# %% numba_numpy_row_by_row
"""NumPy picks the larger of two rows, inside njit: whole rows are no single numbers."""
@njit
def max_numba(A, B):
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        C[i] = np.maximum(A[i], B[i])
    return C

# %% numba_where_of_whole_arrays
"""`where` of whole matrices, inside njit."""
@njit
def max_numba(A, B):
    return np.where(A > B, A, B)
