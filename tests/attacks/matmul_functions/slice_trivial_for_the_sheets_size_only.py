"""A matrix of another size than the sheet's is refused; of that size, NumPy's product is copied entry by entry.

aims: matmul.trivial.correct
"""


def matmul_transpose_trivial(X):
    if X.shape != (784, 128):
        raise ValueError("the sheet asks for 784 rows of 128 numbers")
    P = X @ X.T
    C = np.zeros((784, 784))
    for i in range(784):
        for j in range(784):
            C[i, j] = P[i, j]
    return C
