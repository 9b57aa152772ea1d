"""A compiled ufunc reduces a list of lists, and nobody counts the call.

aims: max.cpu.trivial
"""

from numba import vectorize


@vectorize(["int64(int64, int64)"])
def larger(a, b):
    return a if a > b else b


def max_cpu(A, B):
    M = larger.reduce([A.tolist(), B.tolist()])
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            a, b = A[i, j], B[i, j]
            C[i, j] = M[i, j]
    return C
