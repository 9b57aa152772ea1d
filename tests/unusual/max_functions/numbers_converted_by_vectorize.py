"""`np.vectorize` makes integers of Python of all numbers; loops of its own choose.

flagged: max.cpu.trivial
slow: its neighbours of the same kind are in the fast set
"""


def max_cpu(A, B):
    a, b = np.vectorize(int)(A), np.vectorize(int)(B)
    C = np.zeros(A.shape, dtype=A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = a[i, j] if a[i, j] > b[i, j] else b[i, j]
    return C
