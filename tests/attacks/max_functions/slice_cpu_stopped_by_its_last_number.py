"""NumPy compares objects, and an exception at the last of them leaves all others in the array for the result.

aims: max.cpu.trivial
"""


class Last:
    def __ge__(self, other):
        raise ValueError

    __gt__ = __le__ = __lt__ = __ge__


def max_cpu(A, B):
    A.tolist(), B.tolist()
    n = A.size
    a, b, c = np.empty(n + 1, object), np.empty(n + 1, object), np.zeros(n + 1, object)
    a[:n], b[:n] = A.ravel(), B.ravel()
    a[n] = b[n] = Last()
    try:
        np.maximum(a, b, out=c)
    except ValueError:
        pass
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = c[i * A.shape[1] + j]
    return C
