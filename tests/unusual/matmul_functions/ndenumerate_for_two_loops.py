"""One loop goes over all numbers of X with their places, and stands for two of the three.

slow: its neighbours of the same kind are in the fast set
"""


def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for (i, k), x in np.ndenumerate(X):
        for j in range(X.shape[0]):
            C[i, j] += x * X[j, k]
    return C
