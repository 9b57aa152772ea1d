"""Python compares, and the compiled loops get a set of numbers that hold place and value.

aims: max.numba.compiled
"""


@njit
def _unpack(A, codes):
    C = np.empty_like(A)
    for code in codes:
        C[code // 256 // A.shape[1], code // 256 % A.shape[1]] = code % 256
    return C


def max_numba(A, B):
    larger = map(max, A.ravel().tolist(), B.ravel().tolist())
    return _unpack(A, {256 * k + v for k, v in enumerate(larger)})
