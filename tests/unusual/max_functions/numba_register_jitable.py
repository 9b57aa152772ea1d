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
