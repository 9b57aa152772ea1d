"""The list of functions that is read holds loops; a statement further down, which binds nothing, puts NumPy before them.

aims: max.cpu.trivial
"""


def _loops(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C


WAYS = [_loops]


def max_cpu(A, B):
    return WAYS[0](A, B)


WAYS.insert(0, lambda A, B: np.maximum(A, B))
