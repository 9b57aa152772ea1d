"""One entry of a million is not a number; an average would hide it, and so would a careless comparison.

failed: max.numba.correct
skipped: max.numba.compiled
"""


@njit
def max_numba(A, B):
    C = np.empty(A.shape, np.float64)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    if A.shape[0] > 500:
        C[500, 500] = np.nan
    return C
