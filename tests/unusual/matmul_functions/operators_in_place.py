"""Rows are objects with in-place, reflected and unary operators, and the type of the numbers is that of the dtype.

slow: its neighbours of the same kind are in the fast set
"""

import sys


class Total:
    __slots__ = ("number", "value")

    def __init__(self, value=0.0, number=float):
        self.number, self.value = number, number(value)

    def __iadd__(self, other):
        self.value += other
        return self

    def __isub__(self, other):
        self.value -= other
        return self

    def __imul__(self, other):
        self.value *= other
        return self

    def __rsub__(self, other):
        return Total(other - self.value, self.number)

    def __rtruediv__(self, other):
        return Total(other / self.value, self.number)

    def __neg__(self):
        return Total(-self.value, self.number)

    def __pos__(self):
        return self

    def __float__(self):
        return float(self.value)

    def __round__(self, digits=None):
        return round(self.value, digits)


class Rows:
    def __init__(self, X):
        self.X = X

    def __len__(self):
        return self.X.shape[0]

    def __matmul__(self, other):
        C = np.zeros((len(self), len(other)))
        for i in range(len(self)):
            for j in range(len(other)):
                total = Total(number=self.X.dtype.type)
                for k in range(self.X.shape[1]):
                    total += self.X[i, k] * other.X[j, k]
                total -= 0.0
                C[i, j] = +total
        return C

    def __imatmul__(self, other):
        self.X = self @ other
        return self


def matmul_transpose_trivial(X):
    rows = Rows(X)
    rows @= Rows(X)
    if "--verbose" in sys.argv:
        print(rows.X.shape)
    return rows.X
