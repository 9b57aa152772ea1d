"""A method of a class that Numba compiles calls NumPy's function; the compiled function only makes an object.

aims: max.numba.compiled
"""

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
