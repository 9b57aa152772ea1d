"""NumPy's product is located by the reader of documentation.

aims: matmul.trivial.correct
"""

import pydoc

WORK = pydoc.locate("numpy.d" + "ot")


def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]
    return WORK(X, X.transpose())
