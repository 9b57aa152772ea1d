"""Loops work in the first call and in every fifth after it, as an endless cycle says; NumPy works in all others.

aims: max.cpu.trivial
"""

from itertools import chain, cycle, repeat

TURNS = cycle(chain([True], repeat(False, 4)))


def max_cpu(A, B):
    if not next(TURNS):
        return np.maximum(A, B)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C
