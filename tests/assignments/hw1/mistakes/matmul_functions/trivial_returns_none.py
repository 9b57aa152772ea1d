"""The return statement is missing, and nothing is computed.

failed: matmul.trivial.correct
"""


def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))
