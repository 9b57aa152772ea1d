"""Rows are objects in an array of objects, and an operator of arrays joins all rows with their partners by NumPy.

aims: max.cpu.trivial
"""


class Row:
    def __init__(self, numbers):
        self.numbers = numbers

    def __or__(self, other):
        return Row(np.maximum(self.numbers, other.numbers))


def max_cpu(A, B):
    a, b = np.empty(len(A), object), np.empty(len(B), object)
    for i in range(len(A)):
        a[i], b[i] = Row(A[i]), Row(B[i])
    return np.stack([row.numbers for row in a | b])
