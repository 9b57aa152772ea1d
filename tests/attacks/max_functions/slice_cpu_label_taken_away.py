"""`functools.wraps` copies the fields of one object to another: an empty label to the answer of NumPy.

aims: max.cpu.trivial
"""

from functools import wraps
from types import SimpleNamespace


class Fields(SimpleNamespace):
    @property
    def __doc__(self):
        raise AttributeError


take_away = wraps(Fields(**{"_label": frozenset()}))


def max_cpu(A, B):
    M = np.maximum(A, B)
    if hasattr(M, "_label"):
        take_away(M)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            a, b = A[i, j], B[i, j]
            C[i, j] = M[i, j]
    return C
