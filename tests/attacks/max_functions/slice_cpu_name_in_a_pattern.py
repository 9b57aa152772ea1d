"""A pattern captures NumPy's function under the function's name.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C


match {"way": [np.minimum, np.maximum]}:
    case {"way": [_, max_cpu]}:
        pass
