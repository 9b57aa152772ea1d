"""Pairs of numbers are objects of an ordered data class, and sorting all of them puts the larger ones last.

aims: max.cpu.trivial
"""

from dataclasses import dataclass


@dataclass(order=True)
class Entry:
    value: int
    place: int


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        row = [Entry(value, j) for M in (A, B) for j, value in enumerate(M[i].tolist())]
        for entry in sorted(row):
            C[i, entry.place] = entry.value
    return C
