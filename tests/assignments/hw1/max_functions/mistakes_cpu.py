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

# %% cpu_numpy_does_the_work
"""np.maximum does it; the values are right.

failed: max.cpu.trivial
skipped:
"""
def max_cpu(A, B):
    return np.maximum(A, B)

# %% cpu_numpy_row_by_row
"""One loop, and NumPy for each row.

failed: max.cpu.trivial
skipped:
"""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        C[i] = np.where(A[i] > B[i], A[i], B[i])
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

# %% cpu_sleeps
"""A delay that makes the GPU's speed-up larger.

failed: max.cpu.trivial
skipped:
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

# %% syntax_error
"""An unfinished line at the end of the file.

failed: max.cpu.correct max.numba.correct max.gpu.correct max.gpu.launch
skipped: max.cpu.trivial max.numba.compiled max.gpu.speedup
warned: max.times max.shapes
says: max_functions.py
"""
max_cpu(
