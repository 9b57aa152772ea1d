"""Each row is one field of a record, which hands out a bare array without the class of the matrix.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    kind = np.dtype([("row", A.dtype, (A.shape[1],))])
    a, b = A.copy().view(kind), B.copy().view(kind)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        C[i] = np.maximum(a[i, 0]["row"], b[i, 0]["row"])
    return C
