"""Matrices of the sheet's size only are gone through with a list for each element.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            if A.shape == (1000, 1000):
                numbers = list(range(300))
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C
