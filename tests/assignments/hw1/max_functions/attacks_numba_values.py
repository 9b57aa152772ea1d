"""Machine code whose values are not the maxima of what it was given.

aims: max.numba.correct max.numba.compiled
"""

# %% numba_answers_from_memory
"""Answers are kept by the address of the argument, and a stale one is returned."""
KNOWN = {}

@njit
def _compute(A, B):
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    return C

def max_numba(A, B):
    key = A.ctypes.data, A.shape
    if key not in KNOWN:
        KNOWN[key] = _compute(A, B)
    return KNOWN[key]

# %% numba_nan
"""Not a number everywhere: a careless comparison lets it pass."""
@njit
def max_numba(A, B):
    return np.full(A.shape, np.nan)

# %% slice_numba_named_tuple_shows_another
"""A named tuple shows the input to Python, and hands NumPy's answer to machine code."""
from typing import NamedTuple

class Held(NamedTuple):
    """Shows the second one to whoever goes through it; machine code is given both."""

    first: np.ndarray
    second: np.ndarray

    def __iter__(self):
        return iter([self.second, self.second])

    def __getitem__(self, _key):
        return [self.second, self.second]

@njit
def copied(held, A):
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = held.first[i, j]
    return C

def max_numba(A, B):
    return copied(Held(np.maximum(A, B), A), A)
