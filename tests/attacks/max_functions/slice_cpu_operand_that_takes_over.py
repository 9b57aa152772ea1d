"""An own object stands beside the matrix in an addition, and does something else than adding.

aims: max.cpu.trivial
"""


class Other:
    __array_ufunc__ = None

    def __init__(self, B):
        self.B = B

    def __radd__(self, A):
        return np.maximum(A, self.B)


def max_cpu(A, B):
    return A + Other(B)
