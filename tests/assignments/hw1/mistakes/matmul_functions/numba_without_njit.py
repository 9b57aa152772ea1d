"""The decorator is on a function that nobody calls; NumPy keeps the plain one fast.

failed: matmul.numba.compiled
"""


def matmul_transpose_numba(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        C[i] = (X * X[i]).sum(axis=1)
    return C
