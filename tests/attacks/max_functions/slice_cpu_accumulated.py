"""The running maximum of a stack of both matrices ends with the answer.

aims: max.cpu.trivial
"""

from itertools import accumulate


def max_cpu(A, B):
    *_, C = accumulate((A, B), np.fmax)
    return C
