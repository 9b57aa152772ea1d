"""A class of one's own has @ and T as NumPy's has, and does the three loops in plain Python.

opened: matmul.trivial.correct
slow: its neighbours of the same kind are in the fast set
"""


class Matrix:
    def __init__(self, rows):
        self.rows = [list(row) for row in rows]

    @property
    def shape(self):
        return len(self.rows), len(self.rows[0])

    @property
    def T(self):
        return Matrix(zip(*self.rows))

    def __getitem__(self, place):
        i, j = place
        return self.rows[i][j]

    def __matmul__(self, other):
        n, m, p = *self.shape, other.shape[1]
        result = [[0.0] * p for _ in range(n)]
        for i in range(n):
            for j in range(p):
                for k in range(m):
                    result[i][j] += self[i, k] * other[k, j]
        return Matrix(result)

    def __array__(self, dtype=None, copy=None):
        return np.array(self.rows, dtype=dtype)


def matmul_transpose_trivial(X):
    X = Matrix(X)
    return np.asarray(X @ X.T)
