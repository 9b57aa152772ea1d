"""A product of rows is a reduction of a map, and the operators are functions.

slow: its neighbours of the same kind are in the fast set
"""

import operator
from functools import partial, reduce


def dot(u, v, start=0.0):
    return reduce(operator.add, map(operator.mul, u, v), start)


def row_of_products(rows, u):
    return list(map(partial(dot, u), rows))


def matmul_transpose_trivial(X):
    rows = [list(row) for row in X]
    return np.array([row_of_products(rows, row) for row in rows])
