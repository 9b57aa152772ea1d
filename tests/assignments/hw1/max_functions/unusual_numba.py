"""Compiled in unusual ways."""

# %% match_and_vectorize
"""match for the choice, numba.vectorize inside njit, and more parameters than the sheet's."""
import math
import random
from math import ceil
from timeit import default_timer as timer
from numba import vectorize, int64, float64
def max_cpu(A, B, /, *, out=None):
    """Return max."""
    if out is None:
        out = np.zeros_like(A, dtype=object)
        out = np.zeros_like(A)
    start = timer()
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            match A[i, j] > B[i, j]:
                case np.True_:
                    out[i, j] = A[i, j]
                case _:
                    out[i, j] = B[i, j]
    print("took", timer() - start)
    return out

@vectorize([int64(int64, int64)], nopython=True)
def _vmax(a, b):
    return a if a > b else b

@njit
def max_numba(A, B):
    return _vmax(A, B)

@cuda.jit
def max_kernel(A, B, C):
    i = cuda.blockIdx.y * cuda.blockDim.y + cuda.threadIdx.y
    j = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = max(A[i, j], B[i, j])

def max_gpu(A, B):
    C = np.zeros(A.shape, dtype=A.dtype)
    tpb = (40, 25)
    bpg = (ceil(A.shape[1] / tpb[0]), math.ceil(A.shape[0] / tpb[1]))
    max_kernel[bpg, tpb](A, B, C)
    return C

# %% njit_by_assignment
"""The plain function is compiled under another name."""
def _loops(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    return C

max_numba = njit(_loops)

# %% numba_cached
"""njit with a cache on disk, fast mathematics and no interpreter lock."""
@njit(cache=True, fastmath=True, nogil=True)
def max_numba(A, B):
    C = np.zeros(A.shape, dtype=np.int64)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    return C

# %% numba_defined_inside
"""The compiled function is defined inside max_numba, anew in each call: it does the work all the same."""
def max_numba(A, B):
    @njit
    def larger(A, B):
        C = np.empty_like(A)
        for i in range(A.shape[0]):
            for j in range(A.shape[1]):
                C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
        return C

    return larger(A, B)

# %% numba_eager_signature
"""Types are written down, so that everything is compiled at import."""
import numba
from numba import int64
@njit(int64[:, :](int64[:, :], int64[:, :]))
def max_numba(A, B):
    C = np.zeros_like(A)
    rows, columns = A.shape
    for i in range(rows):
        for j in range(columns):
            C[i, j] = A[i, j]
            if B[i, j] > C[i, j]:
                C[i, j] = B[i, j]
    return C

@cuda.jit("void(int64[:,:], int64[:,:], int64[:,:])")
def max_kernel(A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = max(A[i, j], B[i, j])

# %% numba_in_a_dict
"""A dictionary holds the loops, plain and compiled in two ways."""
def _loops(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

VARIANTS = {"plain": _loops, "compiled": njit(_loops), "fast": njit(fastmath=True)(_loops)}

def max_numba(A, B):
    """Run the compiled variant of the loops."""
    return VARIANTS["compiled"](A, B)

# %% numba_inner_function
"""max_numba is plain Python around a compiled function."""
@njit
def _fill(A, B, C):
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])

def max_numba(A, B):
    C = np.empty_like(A)
    _fill(A, B, C)
    return C

# %% numba_jit_nopython
"""The older way to say njit."""
import numba as nb
from numba import jit
@jit(nopython=True)
def max_numba(A, B):
    C = np.zeros_like(A)
    for i in nb.prange(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    return C

# %% numba_nditer
"""Compiled loops go through both matrices and the result by `np.nditer`; sizes of numbers come from the dtype."""
def max_cpu(A, B):
    number = A.dtype.type
    C = np.full(A.shape, number(0))
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = number(A[i, j] if A[i, j] > B[i, j] else B[i, j])
    return C

@njit
def max_numba(A, B):
    C = np.empty_like(A)
    for a, b, c in np.nditer((A, B, C)):
        if a.item() > b.item():
            c[()] = a.item()
        else:
            c[()] = b.item()
    return C

# %% numba_options_in_a_dictionary
"""Options of the compiler stand in a dictionary that the decorator unpacks, and settings of Numba are changed."""
import numba
from numba import config
config.THREADING_LAYER = "workqueue"
numba.set_num_threads(1)
OPTIONS = {"nogil": True, "error_model": "numpy", "fastmath": {"contract", "nsz"}}
OPTIONS |= {"boundscheck": False}
PARALLEL = dict(OPTIONS, parallel=False)
LOW, HIGH = 0, 255

@njit(inline="always")
def clamp(value):
    return min(max(value, LOW), HIGH)

@njit(**PARALLEL)
def max_numba(A, B):
    C = np.empty_like(A)
    for i in numba.prange(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = clamp(A[i, j] if A[i, j] > B[i, j] else B[i, j])
    return C

# %% numba_parallel
"""prange in parallel."""
from numba import prange
@njit(parallel=True)
def max_numba(A, B):
    C = np.zeros_like(A)
    for i in prange(A.shape[0]):
        for j in prange(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    return C

# %% numba_register_jitable
"""One loop, marked as fit for Numba, serves plain Python and a compiled function alike."""
from numba.extending import register_jitable
@register_jitable
def larger(a, b):
    if a > b:
        return a
    return b

@register_jitable
def loops(A, B, C):
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = larger(A[i, j], B[i, j])

def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    loops(A, B, C)
    return C

@njit
def max_numba(A, B):
    C = np.empty(A.shape, A.dtype)
    loops(A, B, C)
    return C

# %% numba_returns_a_tuple
"""Compiled code gets both matrices as one tuple, and returns the result with a count of who won."""
@njit
def compare(pair):
    A, B = pair
    C = np.zeros(A.shape, A.dtype)
    wins = 0
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            if A[i, j] > B[i, j]:
                C[i, j] = A[i, j]
                wins += 1
            else:
                C[i, j] = B[i, j]
    return C, wins

def max_numba(A, B):
    C, wins = compare((A, B))
    print(f"A wins {wins} of {C.size}")
    return C

# %% numba_rows_in_typed_lists
"""Compiled code fills Numba's own list and dictionary, which plain Python made empty and told Numba's types."""
from numba import types
from numba.typed import Dict, List
@njit
def fill(A, B, rows, wins):
    wins["A"] = 0
    for i in range(A.shape[0]):
        row = np.empty(A.shape[1], A.dtype)
        for j in range(A.shape[1]):
            row[j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
            wins["A"] += int(A[i, j] > B[i, j])
        rows.append(row)

def max_numba(A, B):
    rows = List.empty_list(types.int64[::1])
    wins = Dict.empty(key_type=types.unicode_type, value_type=types.int64)
    fill(A, B, rows, wins)
    print("A wins", wins["A"], "times")
    return np.array(list(rows))

# %% numba_typed_lists
"""Compiled loops return a typed list of rows, which plain Python stacks."""
from numba.typed import List
@njit
def _rows(A, B):
    rows = List()
    for i in range(A.shape[0]):
        row = np.empty(A.shape[1], A.dtype)
        for j in range(A.shape[1]):
            row[j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
        rows.append(row)
    return rows

def max_numba(A, B):
    return np.array(list(_rows(A, B)))

# %% numba_vectorized_helper
"""A helper is made by numba.vectorize and gets one pair of numbers at a time, inside compiled loops."""
from numba import vectorize
@vectorize(["int64(int64, int64)", "float64(float64, float64)"], nopython=True)
def larger(a, b):
    return a if a > b else b

@njit
def max_numba(A, B):
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = larger(A[i, j], B[i, j])
    return C
