"""The loops fetch numbers out of a constant list, at places that NumPy's maximum names.

aims: max.cpu.trivial
"""

NUMBERS = list(range(256))


def max_cpu(A, B):
    found = np.maximum(A, B)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = NUMBERS[found[i, j]]
    return C
