"""Integers of hundreds of digits are multiplied for each element.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            product = 3**800 * 7 ** (800 + i - i)
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C
