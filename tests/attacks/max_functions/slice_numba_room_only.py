"""The compiled function makes room by copying A; loops of Python fill it with the answer.

aims: max.numba.compiled
"""


@njit
def _make_room(A):
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j]
    return C


def max_numba(A, B):
    C = _make_room(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            if B[i, j] > C[i, j]:
                C[i, j] = B[i, j]
    return C
