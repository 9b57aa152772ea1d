"""A function of plain loops is what one reads; for compiled code, an overload in another place says NumPy's maximum.

aims: max.numba.compiled
"""

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
