"""A compiled function calls NumPy's maximum, found in one of Numba's modules.

aims: max.numba.compiled
"""

from numba.np import arraymath as am

work = am.np.maximum


@njit
def max_numba(A, B):
    C = np.zeros_like(A)
    for i in range(1):
        C[:] = work(A, B)
    return C
