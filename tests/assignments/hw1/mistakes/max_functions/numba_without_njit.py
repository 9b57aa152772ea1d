"""The decorator is missing: this is max_cpu once more.

failed: max.numba.compiled
"""


def max_numba(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    return C
