"""Asking whether something is an instance of a class lets the class's class do the work.

aims: max.cpu.trivial
"""

from abc import ABCMeta


class Judge(ABCMeta):
    def __instancecheck__(cls, trio):
        A, B, C = trio
        np.maximum(A, B, C)
        return True


class Compared(metaclass=Judge):
    pass


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for _ in range(1):
            isinstance((A[i], B[i], C[i]), Compared)
    return C
