"""Reading an attribute computes it, for whole matrices.

aims: max.cpu.trivial
"""


class Where:
    def __get__(self, pair, kind):
        return np.where(pair.A < pair.B, pair.B, pair.A)


class Pair:
    larger = Where()

    def __init__(self, A, B):
        self.A = A
        self.B = B


def max_cpu(A, B):
    return Pair(A, B).larger
