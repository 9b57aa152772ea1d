"""A second definition stands in the `else` of a `try`, and takes the place of the loops.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C


try:
    BLOCKS_OF_TEN = BLOCKS // 10
except TypeError:
    raise
else:

    def max_cpu(A, B):
        return np.maximum(A, B)
