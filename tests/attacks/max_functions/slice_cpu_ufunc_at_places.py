"""NumPy's maximum is applied at every place, once, to a copy of B.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    C = B.copy()
    for i in range(A.shape[0]):
        np.maximum.at(C[i], np.arange(A.shape[1]), A[i])
    return C
