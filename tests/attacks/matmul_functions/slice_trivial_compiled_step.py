"""Three plain loops call a compiled function that multiplies and adds.

aims: matmul.trivial.correct
"""


@njit
def _add(total, x, y):
    return total + x * y


def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] = _add(C[i, j], X[i, k], X[j, k])
    return C
