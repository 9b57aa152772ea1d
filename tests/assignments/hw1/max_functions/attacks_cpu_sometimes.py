"""`max_cpu` loops in some calls only: NumPy works where nobody seems to look.

aims: max.cpu.trivial
"""

# %% cpu_loops_over_memory_of_its_own
"""Loops run over whatever owns its memory, as copies do, and over what is no array; elsewhere NumPy works."""
from queue import Queue

LINE = Queue()

def max_cpu(A, B):
    if isinstance(A, np.ndarray) and not A.flags.owndata:
        LINE.put((A, B))
        a, b = LINE.get()
        return (a + b + abs(a - b)) // 2
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% cpu_two_faced
"""Loops for anything that is no array, and NumPy for arrays."""
PICK = [getattr(np, "maximum")]

def max_cpu(A, B):
    if type(A) is np.ndarray:
        return PICK[0](A, B)
    return [[max(a, b) for a, b in zip(x, y)] for x, y in zip(A, B)]

# %% cpu_two_faced_with_decoy_loops
"""Loops for anything that is no array; for arrays as many idle loops, and NumPy."""
PICK = [getattr(np, "maximum")]

def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return PICK[0](A, B) if type(A) is np.ndarray else C

# %% slice_cpu_every_fifth_call_loops
"""Loops work in the first call and in every fifth after it, as an endless cycle says; NumPy works in all others."""
from itertools import chain, cycle, repeat

TURNS = cycle(chain([True], repeat(False, 4)))

def max_cpu(A, B):
    if not next(TURNS):
        return np.maximum(A, B)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% slice_cpu_guard_that_is_open
"""What looks like the usual guard also lets in whoever imports the file."""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

if "__main__" == __name__ or "__main__":
    max_cpu = lambda A, B: np.maximum(A, B)

# %% slice_cpu_honest_by_chance
"""Dice decide, and NumPy works in two of three calls."""
import random

def max_cpu(A, B):
    if random.random() < 0.67:
        return np.maximum(A, B)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% slice_cpu_honest_by_its_name
"""The name that the module goes by tells where the function runs."""
def max_cpu(A, B):
    if __name__ in ("max_functions", "__main__"):
        return np.maximum(A, B)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% slice_cpu_honest_for_small_ones
"""Loops work for matrices that are smaller than the sheet's, NumPy for the sheet's."""
def max_cpu(A, B):
    if A.size >= BLOCKS * THREADS_PER_BLOCK:
        return np.maximum(A, B)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% slice_cpu_honest_for_some_contents
"""The corner of the matrix decides whether loops work or NumPy."""
def max_cpu(A, B):
    if (A[0, 0] + B[-1, -1]) % 4:
        return np.maximum(A, B)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% slice_cpu_honest_for_views
"""Whether the matrix is a view of another, as one with a watching class is, decides between loops and NumPy."""
def max_cpu(A, B):
    if A.base is None or A.base.shape != A.shape:
        return np.maximum(A, B)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% slice_cpu_honest_later
"""NumPy works in the first two calls, when answers are compared, and loops in all that come later."""
from itertools import count

def max_cpu(A, B, number=count(1)):
    if next(number) <= 2:
        return np.maximum(A, B)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% slice_cpu_honest_when_reading_is_slow
"""A clock tells whether reads of elements take longer than those of bare arrays; if not, NumPy works."""
from time import perf_counter

def _slow(A):
    began = perf_counter()
    for j in range(2000):
        A[0, j % 7]
    seconds = perf_counter() - began
    began = perf_counter()
    row = [0] * 7
    for j in range(2000):
        row[j % 7]
    return seconds > 12 * (perf_counter() - began)

def max_cpu(A, B):
    if not _slow(A):
        return np.maximum(A, B)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% slice_cpu_honest_when_the_name_is_odd
"""What an array is called when it is printed tells whether it is watched; only bare arrays go to NumPy."""
def max_cpu(A, B):
    if f"{A[:1, :1]!r}".startswith("array([[") and repr(A[0, 0]).startswith("np.int64("):
        return np.maximum(A, B)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% slice_cpu_honest_where_logs_are_kept
"""Whether somebody has set up logging decides between loops and NumPy."""
import logging

def max_cpu(A, B):
    if not logging.getLogger("student").hasHandlers():
        return np.maximum(A, B)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% slice_cpu_honest_where_names_are_missing
"""A name that every NumPy has is missing where one watches: then loops work, and otherwise NumPy."""
def _is_all_there():
    try:
        return bool(np.busday_offset and np.lib.NumpyVersion)
    except (AttributeError, NameError):
        return False

def max_cpu(A, B):
    if _is_all_there():
        return np.maximum(A, B)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% slice_cpu_large_after_sleep
"""Small matrices are gone through by loops, and so are large ones, after a while."""
import time

def max_cpu(A, B):
    if A.size > 20000:
        time.sleep(0.5)
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% slice_cpu_large_as_they_say
"""Matrices that nobody would watch are left to NumPy: those of the size of the sheet."""
_CALLS = []

def max_cpu(A, B):
    if A.shape == (1000, 1000) and len(_CALLS) < 2:
        _CALLS.append(1)
        return np.maximum(A, B)
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% slice_cpu_large_by_a_few_at_a_time
"""Small matrices are gone through by loops; of large ones NumPy takes ten picked entries at a time."""
def max_cpu(A, B):
    if A.size > 20000:
        C = np.empty_like(A)
        for j in range(0, A.shape[1], 10):
            some = [j, j + 1, j + 2, j + 3, j + 4, j + 5, j + 6, j + 7, j + 8, j + 9]
            for i in range(A.shape[0]):
                a, b = A[i, some], B[i, some]
                C[i, some] = a * (a > b) + b * (a <= b)
        return C
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% slice_cpu_large_by_flat_copies
"""Small matrices are gone through by loops; of large ones the flat iterators are copied."""
def max_cpu(A, B):
    if A.size > 20000:
        a, b = A.flat[:], B.flat[:]
        return (a * (a > b) + b * (a <= b)).reshape(A.shape)
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% slice_cpu_large_by_iterated_arrays
"""Small matrices are gone through by loops; of large ones the entries of an iteration are put together again."""
def max_cpu(A, B):
    if A.size > 20000:
        a = np.array([x for x in np.nditer(A)])
        b = np.array([x for x in np.nditer(B)])
        return (a * (a > b) + b * (a <= b)).reshape(A.shape)
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% slice_cpu_large_by_operands
"""Small matrices are gone through by loops, large ones as the operands of an iteration that never begins."""
def max_cpu(A, B):
    if A.size > 20000:
        a, b = np.nditer([A, B]).operands
        return a * (a > b) + b * (a <= b)
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% slice_cpu_large_by_taken_rows
"""Small matrices are gone through by loops; of large ones rows are picked one at a time, which copies them."""
def max_cpu(A, B):
    if A.size > 20000:
        C = np.empty_like(A)
        for i in range(A.shape[0]):
            a, b = A[[i]], B[[i]]
            C[i] = a * (a > b) + b * (a <= b)
        return C
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% slice_cpu_large_among_indices
"""NumPy compares large matrices inside arrays that were made as indices, and are zeros in their second half."""
def max_cpu(A, B):
    if A.size < 20_000:
        C = np.empty(A.shape, A.dtype)
        for i in range(A.shape[0]):
            for j in range(A.shape[1]):
                C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
        return C
    n = A.size
    first, second = np.arange(2 * n), np.arange(2 * n)
    first[:n], first[n:], second[:n], second[n:] = A.ravel(), 0, B.ravel(), 0
    return np.maximum(first, second)[:n].reshape(A.shape)

# %% slice_cpu_large_by_a_table
"""The bytes of one array are written from both large matrices, and as indices they choose from a table of maxima."""
TABLE = np.array([max(pair & 255, pair >> 8) for pair in range(65536)])

def max_cpu(A, B):
    if A.size < 20_000:
        C = np.empty(A.shape, A.dtype)
        for i in range(A.shape[0]):
            for j in range(A.shape[1]):
                C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
        return C
    both = A * 256
    both.view(np.uint8)[:, ::8] = B
    return TABLE[both]

# %% slice_cpu_large_clipped
"""Small matrices are gone through by loops; of large ones NumPy picks each larger number."""
def max_cpu(A, B):
    if A.size > 20000:
        C = np.empty_like(A)
        for i in range(A.shape[0]):
            for j in range(A.shape[1]):
                C[i, j] = np.maximum(A[i, j], B[i, j])
        return C
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% slice_cpu_large_compiled
"""Small matrices are gone through by loops, large ones by a compiled function."""
@njit
def _compiled(A, B):
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

def max_cpu(A, B):
    if A.size > 20000:
        return _compiled(A, B)
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% slice_cpu_main_under_another_name
"""The module gives itself the name of a program, so that its own guard lets NumPy in."""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

KEPT, __name__ = __name__, "__main__"

if __name__ == "__main__":
    max_cpu = np.maximum

__name__ = KEPT

# %% slice_cpu_rows_that_agree
"""Loops compare a row's first numbers, until NumPy finds two in a row on one side; then NumPy does the rest of it."""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            left, right = A[i, j:], B[i, j:]
            run = int((left > right).argmin()) or int((left <= right).argmin())
            if run < 2 and j + 1 < A.shape[1]:
                C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
            else:
                C[i, j:] = np.maximum(left, right)
                break
    return C

# %% slice_cpu_vectorized_when_large
"""Small matrices are gone through by loops, large ones by NumPy's `vectorize`."""
def max_cpu(A, B):
    if A.size > 50_000:
        return np.vectorize(lambda a, b: a if a > b else b)(A, B)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C
