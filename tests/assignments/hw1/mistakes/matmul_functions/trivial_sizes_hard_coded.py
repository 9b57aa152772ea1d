"""784 and 128 in the three loops: correct at the sheet's size, which decides.

failed:
slow: decided at 784 × 128, in Python
"""


def matmul_transpose_trivial(X):
    C = np.zeros((784, 784))
    for i in range(784):
        for j in range(784):
            for k in range(128):
                C[i, j] += X[i, k] * X[j, k]
    return C
