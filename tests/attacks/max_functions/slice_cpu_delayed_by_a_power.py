"""A large power is taken for each row, and its lowest bit decides nothing.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        even = pow(3, 30001 + i) & 1
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] * even if A[i, j] > B[i, j] else B[i, j] * even
    return C
