"""The body of a class declares the function's name global, and binds it.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C


class Settings:
    global max_cpu
    rounds = 3
    max_cpu = np.maximum
