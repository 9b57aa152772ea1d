"""A compiled function applies what it is given to whole rows, and is given NumPy's maximum.

aims: max.numba.compiled
"""


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
