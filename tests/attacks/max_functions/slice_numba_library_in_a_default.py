"""The compiled function has a default argument, NumPy's maximum, which it calls for whole rows.

aims: max.numba.compiled
"""


@njit
def max_numba(A, B, larger=np.maximum):
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for _ in range(1):
            C[i] = larger(A[i], B[i])
    return C
