"""Options of the compiler stand in a dictionary that the decorator unpacks, and settings of Numba are changed.

slow: its neighbours of the same kind are in the fast set
"""

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
