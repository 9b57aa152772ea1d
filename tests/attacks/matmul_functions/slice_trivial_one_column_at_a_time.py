"""Three loops, of which two have one turn; the third adds the products of a column with itself to everything.

aims: matmul.trivial.correct
"""


def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in [slice(None)]:
        for j in [None]:
            for k in range(X.shape[1]):
                C += X[i, k, j] * X[j, i, k]
    return C
