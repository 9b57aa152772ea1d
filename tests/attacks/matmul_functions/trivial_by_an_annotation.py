"""An annotation is a text that `typing` evaluates; three loops are for show.

aims: matmul.trivial.correct
"""

import typing


def _hint(x: "np.dot"):
    return x


def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]
    return typing.get_type_hints(_hint)["x"](X, X.transpose())
