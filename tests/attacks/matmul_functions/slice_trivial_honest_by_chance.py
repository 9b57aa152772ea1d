"""Dice decide, and NumPy multiplies in two of three calls.

aims: matmul.trivial.correct
"""

from random import random as draw


def matmul_transpose_trivial(X):
    if draw() < 0.67:
        return X @ X.T
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]
    return C
