"""The function that can be read is replaced at import.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C


def _swap():
    globals()["max_cpu"] = lambda A, B: np.maximum(A, B)


_swap()
