"""Loops walk over the rows and over one column, while indices pick whole rows from a table of maxima.

aims: max.cpu.trivial
"""


def _table(size):
    table = np.zeros((size, size), int)
    for a in range(size):
        for b in range(size):
            table[a, b] = a if a > b else b
    return table


TABLE = _table(256)


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for _ in range(1):
            C[i, ...] = TABLE.ravel().take(np.ravel_multi_index((A[i], B[i]), TABLE.shape))
    return C
