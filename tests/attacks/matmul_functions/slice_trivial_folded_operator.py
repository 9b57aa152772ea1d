"""A fold over the matrix and its transpose applies an operator, that of products of matrices.

aims: matmul.trivial.correct
"""

import operator
from functools import reduce


def matmul_transpose_trivial(X):
    return reduce(operator.matmul, (X, X.T))
