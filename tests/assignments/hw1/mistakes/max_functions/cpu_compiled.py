"""The function that should show how slow plain Python is is compiled by Numba: a TA looks, the points stay.

failed:
flagged: max.cpu.trivial
"""


@njit
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    return C
