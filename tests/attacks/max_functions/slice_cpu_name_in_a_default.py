"""The default of another function's argument is an assignment expression that binds the function's name.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C


def describe(way=(max_cpu := lambda A, B: np.maximum(A, B))):
    return f"{way}"
