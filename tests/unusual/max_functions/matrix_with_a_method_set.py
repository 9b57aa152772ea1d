"""A matrix has methods `get` and `set`, and rows come out of a generator that writes while it is walked through.

slow: its neighbours of the same kind are in the fast set
"""


class Matrix:
    def __init__(self, rows, columns):
        self.cells = [[0] * columns for _ in range(rows)]

    def get(self, i, j):
        return self.cells[i][j]

    def set(self, i, j, value):
        self.cells[i][j] = value


def write_rows(A, B, matrix):
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            matrix.set(i, j, A[i, j] if A[i, j] > B[i, j] else B[i, j])
        yield i


def max_cpu(A, B):
    matrix = Matrix(A.shape[0], A.shape[1])
    steps = write_rows(A, B, matrix)
    for _ in steps:
        pass
    return np.array(matrix.cells)
