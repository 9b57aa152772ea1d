"""Pairs of place and number are sorted by number, and a dictionary keeps the last one of each place.

aims: max.cpu.trivial
"""

from itertools import chain
from operator import itemgetter


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        pairs = chain(enumerate(A[i].tolist()), enumerate(B[i].tolist()))
        for j, value in dict(sorted(pairs, key=itemgetter(1))).items():
            C[i, j] = value
    return C
