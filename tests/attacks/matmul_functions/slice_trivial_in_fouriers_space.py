"""Rows are transformed by NumPy, and their products are taken there.

aims: matmul.trivial.correct
"""


def matmul_transpose_trivial(X):
    waves = np.fft.fft(X, axis=1)
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(1):
                C[i, j] += np.vdot(waves[i], waves[j]).real / X.shape[1]
    return C
