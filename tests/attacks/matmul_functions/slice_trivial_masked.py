"""An array that masks nothing multiplies, and its filled copy is a bare array.

aims: matmul.trivial.correct
"""


def matmul_transpose_trivial(X):
    M = np.ma.masked_array(X)
    return np.ma.dot(M, M.T).filled(0.0)
