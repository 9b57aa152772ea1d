"""The comparison is the wrong way round.

failed: max.numba.correct
skipped: max.numba.compiled
slow: its neighbours of the same kind are in the fast set
"""


@njit
def max_numba(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = min(A[i, j], B[i, j])
    return C
