"""Dice decide, and NumPy works in two of three calls.

aims: max.cpu.trivial
"""

import random


def max_cpu(A, B):
    if random.random() < 0.67:
        return np.maximum(A, B)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C
