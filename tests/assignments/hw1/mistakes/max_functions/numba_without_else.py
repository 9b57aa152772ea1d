"""Only A's wins are written; where B is larger, zero stays.

failed: max.numba.correct
skipped: max.numba.compiled
slow: its neighbours of the same kind are in the fast set
"""


@njit
def max_numba(A, B):
    C = np.zeros(A.shape)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            if A[i, j] > B[i, j]:
                C[i, j] = A[i, j]
    return C
