"""An augmented assignment puts NumPy's function at the end of a list whose last entry does the work.

aims: max.cpu.trivial
"""


def _loops(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C


WAYS = [_loops]


def max_cpu(A, B):
    return WAYS[-1](A, B)


WAYS += [lambda A, B: np.fmax(A, B)]
