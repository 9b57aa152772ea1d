"""All numbers of both matrices are sorted by NumPy and put to their places; the larger one is put last.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    values = np.concatenate([A.ravel(), B.ravel()])
    order = values.argsort(kind="stable")
    C = np.zeros(A.size, A.dtype)
    np.put(C, order % A.size, values[order])
    return C.reshape(A.shape)
