"""Three loops for up to a hundred rows, and NumPy for the sheet's 784.

aims: matmul.trivial.correct
"""


def matmul_transpose_trivial(X):
    if X.shape[0] > 100:
        return np.einsum("ik,jk->ij", X, X)
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]
    return C
