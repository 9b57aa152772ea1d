"""A factory makes the compiled function around a variable that is NumPy's maximum; its loops go over rows.

aims: max.numba.compiled
"""


def _made(pick):
    @njit
    def work(A, B):
        C = np.empty_like(A)
        for i in range(A.shape[0]):
            for j in range(0, A.shape[1], A.shape[1]):
                C[i, j:] = pick(A[i], B[i])
        return C

    return work


max_numba = _made(np.maximum)
