"""The corner of the matrix decides whether loops work or NumPy.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    if (A[0, 0] + B[-1, -1]) % 4:
        return np.maximum(A, B)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C
