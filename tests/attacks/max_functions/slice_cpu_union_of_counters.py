"""Rows become counters, and the union of two counters keeps the larger count.

aims: max.cpu.trivial
"""

from collections import Counter


def max_cpu(A, B):
    C = np.zeros(A.shape, A.dtype)
    for i in range(A.shape[0]):
        row = Counter(dict(enumerate(A[i].tolist()))) | Counter(dict(enumerate(B[i].tolist())))
        for j in row:
            C[i, j] = row[j]
    return C
