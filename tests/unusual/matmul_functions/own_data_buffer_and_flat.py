"""Fields data, buffer, flat, type and name of own classes; work in named tuples; tuples of results.

slow: its neighbours of the same kind are in the fast set
"""

from collections import namedtuple
from dataclasses import dataclass
from typing import NamedTuple


class Shape(NamedTuple):
    rows: int
    columns: int


class Matrix:
    def __init__(self, data, name="C", type="host"):
        self.data = data
        self.name, self.type = name, type
        self.shape = Shape(len(data), len(data[0]))

    @property
    def flat(self):
        return [x for row in self.data for x in row]

    @property
    def buffer(self):
        return self.data

    def __matmul__(self, other):
        rows = [[0.0] * other.shape.columns for _ in range(self.shape.rows)]
        for i in range(self.shape.rows):
            for j in range(other.shape.columns):
                total = 0.0
                for k in range(self.shape.columns):
                    total += self.data[i][k] * other.buffer[k][j]
                rows[i][j] = total
        return Matrix(rows)

    @property
    def T(self):
        return Matrix([[row[k] for row in self.data] for k in range(self.shape.columns)])


@dataclass
class Buffers:
    data: object
    buffer: object
    type: type = float


def matmul_transpose_trivial(X):
    matrix = Matrix(X.tolist(), "X")
    product = matrix @ matrix.T
    return np.array(product.flat).reshape(len(X), len(X))


Work = namedtuple("Work", "data C n m")


@njit
def multiply(work, shape):
    n, m = shape
    for i in range(n):
        for j in range(n):
            total = 0.0
            for k in range(m):
                total += work.data[i, k] * work.data[j, k]
            work.C[i, j] = total
    return work.C, total


def matmul_transpose_numba(X):
    work = Work(X, np.zeros((X.shape[0], X.shape[0])), *X.shape)
    product, _ = multiply(work, X.shape)
    return product


def matmul_transpose_gpu(X):
    buffers = Buffers(cuda.to_device(X), cuda.device_array((len(X), len(X)), np.float64))
    matmul_kernel[1, 1024](buffers.data, buffers.buffer)
    return buffers.buffer.copy_to_host()
