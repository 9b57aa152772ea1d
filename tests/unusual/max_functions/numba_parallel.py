"""prange in parallel."""

from numba import prange


@njit(parallel=True)
def max_numba(A, B):
    C = np.zeros_like(A)
    for i in prange(A.shape[0]):
        for j in prange(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    return C
