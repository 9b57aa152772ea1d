"""The function keeps its identity, and gets the code of another.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C


max_cpu.__code__ = (lambda A, B: np.maximum(A, B)).__code__
