"""A function is compiled anew for each call, around a text whose letters are the numbers.

aims: max.numba.compiled
"""


def _make(text):
    @njit
    def unpack(A):
        C = np.empty_like(A)
        for i in range(A.shape[0]):
            for j in range(A.shape[1]):
                C[i, j] = ord(text[i * A.shape[1] + j])
        return C

    return unpack


def max_numba(A, B):
    return _make("".join(map(chr, map(max, A.ravel().tolist(), B.ravel().tolist()))))(A)
