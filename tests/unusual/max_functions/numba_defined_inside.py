"""The compiled function is defined inside max_numba, anew in each call: it does the work all the same.

"""


def max_numba(A, B):
    @njit
    def larger(A, B):
        C = np.empty_like(A)
        for i in range(A.shape[0]):
            for j in range(A.shape[1]):
                C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
        return C

    return larger(A, B)
