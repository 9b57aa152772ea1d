"""itertools gives all pairs of rows, and math.fsum adds what a generator multiplies; half is mirrored."""

from itertools import combinations_with_replacement
from math import fsum


def matmul_transpose_trivial(X):
    n = len(X)
    C = np.empty((n, n))
    for i, j in combinations_with_replacement(range(n), 2):
        C[i, j] = C[j, i] = fsum(a * b for a, b in zip(X[i], X[j]))
    return C
