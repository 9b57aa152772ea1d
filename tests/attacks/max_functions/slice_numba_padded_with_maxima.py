"""NumPy pads each pair of numbers with its maximum, and compiled loops copy that.

aims: max.numba.compiled
"""


@njit
def _carry(P):
    C = np.empty(P.shape[:2], P.dtype)
    for i in range(P.shape[0]):
        for j in range(P.shape[1]):
            C[i, j] = P[i, j, 2]
    return C


def max_numba(A, B):
    return _carry(np.pad(np.stack((A, B), -1), ((0, 0), (0, 0), (0, 1)), mode="maximum"))
