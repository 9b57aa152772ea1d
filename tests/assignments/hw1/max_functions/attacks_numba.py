"""`max_numba` is compiled for show, or by name only.

aims: max.numba.compiled
"""

# %% numba_borrowed_numpy
"""A compiled function calls NumPy's maximum, found in one of Numba's modules."""
from numba.np import arraymath as am

work = am.np.maximum

@njit
def max_numba(A, B):
    C = np.zeros_like(A)
    for i in range(1):
        C[:] = work(A, B)
    return C

# %% numba_class_of_dispatchers_extended
"""`max_numba` is of a class made from that of compiled functions, and calls something else."""
def _slow(A, B):
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    return C

class Extended(type(njit(_slow))):
    def __call__(self, A, B):
        super().__call__(A[:2], B[:2])
        return [[x if x > y else y for x, y in zip(a, b)] for a, b in zip(A.tolist(), B.tolist())]

max_numba = Extended(_slow, targetoptions={"nopython": True})

# %% numba_compares_with_numpy
"""A compiled function returns the number one, by which NumPy's answer is multiplied."""
from numba.np import arraymath as am

@njit
def _one(A, B):
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            if A[i, j] + B[i, j] < 0:
                return 0
    return 1

def max_numba(A, B):
    return am.np.maximum(A, B) * _one(A, B)

# %% numba_decoy
"""A compiled function gets the arrays, and another way makes the answer."""
PICK = {"f": getattr(np, "maximum")}

@njit
def _touch(A, B):
    total = 0
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            total += A[i, j]
    return total

def max_numba(A, B):
    _touch(A, B)
    return [PICK[key] for key in PICK][0](A, B)

# %% numba_decoy_and_a_queue
"""A compiled function gets the arrays, and a function out of a queue makes the answer."""
import queue

BOX = queue.Queue()

@njit
def _touch(A, B):
    total = 0
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            total += A[i, j]
    return total

def max_numba(A, B):
    BOX.put(np.maximum)
    _touch(A, B)
    return BOX.get()(A, B)

# %% numba_dispatcher_in_name_only
"""A compiled function is shown around, with its attributes on a Python function."""
import functools

@njit
def _compiled(A, B):
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    return C

_compiled(np.ones((2, 2), int), np.ones((2, 2), int))
PICK = [getattr(np, "maximum"), _compiled]

@functools.wraps(_compiled.py_func)
def max_numba(A, B):
    if A.size < 0:
        return _compiled(A, B)
    return PICK[0](A, B)

max_numba.overloads, max_numba.nopython_signatures = _compiled.overloads, _compiled.nopython_signatures

# %% numba_in_object_mode_inside
"""The compiled function goes back to Python for the whole work."""
from numba import objmode

@njit
def max_numba(A, B):
    with objmode(C="int64[:,:]"):
        C = np.maximum(A, B)
    return C

# %% slice_numba_checks_itself
"""NumPy's answer is returned if the compiled function's is equal, as it always is."""
@njit
def _larger(A, B):
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

def max_numba(A, B):
    C, checked = np.maximum(A, B), np.empty_like(A)
    checked[:1] = _larger(A[:1], B[:1])
    return C if (checked[0] == C[0]).all() else checked

# %% slice_numba_class_calls_numpy
"""A method of a class that Numba compiles calls NumPy's function; the compiled function only makes an object."""
from numba import int64
from numba.experimental import jitclass

@jitclass([("A", int64[:, :]), ("B", int64[:, :])])
class _Pair:
    def __init__(self, A, B):
        self.A = A
        self.B = B

    @property
    def larger(self):
        return np.maximum(self.A, self.B)

@njit
def max_numba(A, B):
    return _Pair(A, B).larger

# %% slice_numba_copies
"""NumPy compares, and compiled code copies."""
@njit
def _take(C):
    """Bring the numbers into a matrix."""
    D = np.empty_like(C)
    for i in range(C.shape[0]):
        for j in range(C.shape[1]):
            D[i, j] = C[i, j]
    return D

def max_numba(A, B):
    """The larger of each two entries."""
    larger = A.real > B.real
    C = B.copy()
    C[larger] = A[larger]
    return _take(C)

# %% slice_numba_first_row_only
"""The compiled loops work on the first ten rows, and NumPy fills the others into the same array."""
@njit
def _larger(A, B, C, rows):
    for i in range(rows):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]

def max_numba(A, B):
    C = np.empty_like(A)
    _larger(A, B, C, 10)
    np.maximum(A[10:], B[10:], out=C[10:])
    return C

# %% slice_numba_honest_by_chance
"""Dice decide, and NumPy does the work of the compiled function in two of three calls."""
@njit
def compiled_max(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

def max_numba(A, B):
    if np.random.random() < 0.67:
        return np.maximum(A, B)
    return compiled_max(A, B)

# %% slice_numba_library_as_an_argument
"""A compiled function applies what it is given to whole rows, and is given NumPy's maximum."""
@njit
def _for_each(work, A, B, C):
    for i in range(A.shape[0]):
        for j in range(1):
            C[i, j:] = work(A[i, j:], B[i, j:])

@njit
def max_numba(A, B):
    C = np.empty_like(A)
    _for_each(np.maximum, A, B, C)
    return C

# %% slice_numba_library_by_method
"""Compiled code without loops of its own clips one matrix by the other."""
@njit
def _whole(first, second):
    return np.clip(first, second, 255)

@njit
def max_numba(A, B):
    for _ in range(1):
        for _ in range(1):
            C = _whole(A, B)
    return C

# %% slice_numba_library_in_a_closure
"""A factory makes the compiled function around a variable that is NumPy's maximum; its loops go over rows."""
def _made(pick):
    @njit
    def work(A, B):
        C = np.empty_like(A)
        for i in range(A.shape[0]):
            for j in range(0, A.shape[1], A.shape[1]):
                C[i, j:] = pick(A[i], B[i])
        return C

    return work

max_numba = _made(np.maximum)

# %% slice_numba_library_in_a_default
"""The compiled function has a default argument, NumPy's maximum, which it calls for whole rows."""
@njit
def max_numba(A, B, larger=np.maximum):
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for _ in range(1):
            C[i] = larger(A[i], B[i])
    return C

# %% slice_numba_masked_inside
"""Compiled code assigns where masks of whole rows say; an index of two parts holds each mask."""
@njit
def max_numba(A, B):
    C = np.empty(A.shape, A.dtype)
    for value in range(256):
        for i in range(A.shape[0]):
            C[i, A[i] == value] = value
            C[i, B[i] == value] = value
    return C

# %% slice_numba_object_mode_by_option
"""A name for the compiler that works without compiling: its loops run in the interpreter, or NumPy does."""
from functools import partial

from numba import jit

fast = partial(jit, forceobj=True, looplift=False)

@fast
def max_numba(A, B):
    return np.maximum(A, B)

# %% slice_numba_operators_of_arrays
"""Compiled code without loops of its own computes with functions of the module `operator` on whole matrices."""
import operator as op

@njit
def max_numba(A, B):
    for _ in range(1):
        for _ in range(1):
            C = op.add(op.mul(A, op.gt(A, B)), op.mul(B, op.le(A, B)))
    return C

# %% slice_numba_overloaded
"""A function of plain loops is what one reads; for compiled code, an overload in another place says NumPy's maximum."""
from numba.extending import overload

def larger(A, B):
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

@njit
def max_numba(A, B):
    return larger(A, B)

@overload(larger)
def _larger_compiled(A, B):
    return lambda A, B: np.maximum(A, B)

# %% slice_numba_python_inside
"""The compiled function compares two rows for show, and its Python function does all others."""
@njit
def _larger(A, B):
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

def max_numba(A, B):
    C = np.empty_like(A)
    C[:2] = _larger(A[:2], B[:2])
    C[2:] = _larger.py_func(A[2:], B[2:])
    return C

# %% numba_clip_as_a_method
"""A compiled function has NumPy take the larger numbers, by a method of A."""
@njit
def max_numba(A, B):
    return A.clip(B, None)

# %% slice_numba_pairs_viewed_as_one
"""A and B are the halves of one number, out of which arithmetic with constants makes the larger."""
@njit
def max_numba(A, B):
    pairs = np.stack((A.astype(np.uint8), B.astype(np.uint8)), 2)
    both = pairs.view(np.uint16)[:, :, 0].astype(np.int64)
    return ((both >> 8) + (both & 255) + np.abs((both >> 8) - (both & 255))) // 2

# %% slice_numba_pairs_made_of_halves
"""A and B are written as the halves of numbers, out of which arithmetic with constants makes the larger."""
@njit
def max_numba(A, B):
    both = np.empty(A.shape, np.int64)
    halves = both.view(np.int32)
    halves[:, ::2], halves[:, 1::2] = A, B
    return ((both >> 32) + (both & 255) + np.abs((both >> 32) - (both & 255))) // 2

# %% slice_numba_pairs_out_of_a_buffer
"""A and B lie side by side in a buffer, which is read as numbers twice as wide."""
@njit
def max_numba(A, B):
    pairs = np.stack((A.astype(np.int32), B.astype(np.int32)), 2)
    both = np.frombuffer(pairs, np.int64).reshape(A.shape)
    return ((both >> 32) + (both & 255) + np.abs((both >> 32) - (both & 255))) // 2

# %% slice_numba_halves_beside_the_whole
"""Compiled code gets an array twice: it writes A and B as halves of its numbers, and computes with these."""
@njit
def _take(both, halves, A, B):
    halves[:, ::2], halves[:, 1::2] = A, B
    return ((both >> 32) + (both & 255) + np.abs((both >> 32) - (both & 255))) // 2

def max_numba(A, B):
    halves = np.zeros((A.shape[0], 2 * A.shape[1]), np.int32)
    return _take(halves.view(np.int64), halves, A, B)
