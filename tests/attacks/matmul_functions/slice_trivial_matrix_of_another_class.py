"""A view of the class of matrices multiplies with a star, and loops copy what comes out.

aims: matmul.trivial.correct
"""


def matmul_transpose_trivial(X):
    M = X.view(np.matrix)
    product = M * M.T
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(1):
                C[i, j] += product[i, j]
    return C
