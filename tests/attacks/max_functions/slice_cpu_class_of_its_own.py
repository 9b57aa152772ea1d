"""Matrices are seen through a class of its own, which does not tell what is done with them.

aims: max.cpu.trivial
"""


class Plain(np.ndarray):
    def __array_finalize__(self, other):
        pass


def max_cpu(A, B):
    a, b = A.view(Plain), B.view(Plain)
    C = np.empty(A.shape, A.dtype).view(Plain)
    for i in range(A.shape[0]):
        C[i] = (a[i] + b[i] + abs(a[i] - b[i])) // 2
    return C
