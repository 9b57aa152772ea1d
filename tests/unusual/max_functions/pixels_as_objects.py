"""Each element becomes an object of a class that knows how to compare.

slow: its neighbours of the same kind are in the fast set
"""

from dataclasses import dataclass


@dataclass(order=True)
class Pixel:
    value: int


def max_cpu(A, B):
    C = np.zeros_like(A)
    for i, (row_a, row_b) in enumerate(zip(A, B)):
        for j, (a, b) in enumerate(zip(row_a, row_b)):
            C[i, j] = max(Pixel(int(a)), Pixel(int(b))).value
    return C
