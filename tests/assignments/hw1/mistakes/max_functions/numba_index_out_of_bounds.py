"""Far beyond the end of an array, which compiled code does not check: the process dies.

failed: max.numba.correct
skipped: max.numba.compiled
warned: max.times max.shapes
"""


@njit
def max_numba(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i + 10000000, j] = max(A[i, j], B[i, j])
    return C
