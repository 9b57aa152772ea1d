"""A nested list is copied for each element.

aims: max.cpu.trivial
"""

import copy


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            copied = copy.deepcopy([[1, 2], [3, 4]])
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C
