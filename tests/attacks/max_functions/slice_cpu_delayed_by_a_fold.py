"""A fold adds up twenty numbers for each element by a function of Python.

aims: max.cpu.trivial
"""

import functools


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            functools.reduce(lambda a, b: a + b, range(20))
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C
