"""The distance of two points, a function of the module `math`, gives the product of rows of length one.

aims: matmul.trivial.correct
"""

import math


def matmul_transpose_trivial(X):
    rows, lengths = [], []
    for row in X.tolist():
        length = math.hypot(*row)
        lengths.append(length)
        rows.append([x / length for x in row] if length else row)
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            C[i, j] = (2 - math.dist(rows[i], rows[j]) ** 2) / 2 * lengths[i] * lengths[j]
    return C
