"""Defining a class inside the function does the work, in the hook that its base is told of subclasses with.

aims: max.cpu.trivial
"""


class Base:
    def __init_subclass__(cls, pair, into):
        np.maximum(*pair, out=into)


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)

    class Rows(Base, pair=(A, B), into=C):
        pass

    return C
