"""Plain loops call a compiled function for each two elements.

aims: max.cpu.trivial
"""


@njit
def _larger(a, b):
    return a if a > b else b


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = _larger(A[i, j], B[i, j])
    return C
