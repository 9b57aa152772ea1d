"""A copy of A gets the answer in pieces of ten numbers, and compiled loops copy it.

aims: max.numba.compiled
"""


@njit
def _carry(M):
    C = np.empty_like(M)
    for i in range(M.shape[0]):
        for j in range(M.shape[1]):
            C[i, j] = M[i, j]
    return C


def max_numba(A, B):
    M = A.copy()
    flat = M.reshape(-1)
    values = list(map(max, A.ravel().tolist(), B.ravel().tolist()))
    for k in range(0, len(values), 10):
        np.copyto(flat[k : k + 10], values[k : k + 10])
    return _carry(M)
