"""The kind of abstract classes makes a class of a dictionary: it takes over NumPy's operations, and gets bare arrays.

aims: max.cpu.trivial
"""

from abc import ABCMeta

BARE = []
Taker = ABCMeta("Taker", (), {"__array_ufunc__": lambda self, ufunc, method, *operands: BARE.append(operands[0])})


def max_cpu(A, B):
    np.add(A, Taker())
    np.add(B, Taker())
    b, a = BARE.pop(), BARE.pop()
    M = a * (a > b) + b * (b >= a)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            a, b = A[i, j], B[i, j]
            C[i, j] = M[i, j]
    return C
