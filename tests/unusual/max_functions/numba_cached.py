"""njit with a cache on disk, fast mathematics and no interpreter lock.

slow: its neighbours of the same kind are in the fast set
"""


@njit(cache=True, fastmath=True, nogil=True)
def max_numba(A, B):
    C = np.zeros(A.shape, dtype=np.int64)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    return C
