"""The default says that loops do the work; a tuple of other defaults is set further down.

aims: max.cpu.trivial
"""


def max_cpu(A, B, way=None):
    if way:
        return way(A, B)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C


max_cpu.__defaults__ = (np.maximum,)
