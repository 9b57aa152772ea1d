"""The matrix holds objects, Python's own numbers, and NumPy's loops multiply them.

aims: matmul.trivial.correct
"""


def matmul_transpose_trivial(X):
    objects = X.astype(object)
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(1):
                C[i, j] += np.inner(objects[i], objects[j])
    return C
