"""The compiled function compares two rows for show, and its Python function does all others.

aims: max.numba.compiled
"""


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
