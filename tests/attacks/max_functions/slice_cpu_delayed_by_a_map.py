"""Texts are made of forty numbers for each element.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            texts = list(map(str, range(40)))
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C
