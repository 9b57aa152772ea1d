"""NumPy correlates two rows, of which one number is valid, and the innermost loop goes over that one number.

aims: matmul.trivial.correct
"""


def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for value in np.convolve(X[i], X[j, ::-1], "valid"):
                C[i, j] += value
    return C
