"""A compiled generator compares, and plain loops only put what it yields into the matrix.

aims: max.cpu.trivial
"""


@njit
def _larger_ones(A, B):
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            yield A[i, j] if A[i, j] > B[i, j] else B[i, j]


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    numbers = _larger_ones(A, B)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = next(numbers)
    return C
