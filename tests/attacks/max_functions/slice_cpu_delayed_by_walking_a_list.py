"""Each row makes a list of a thousand numbers and walks over it.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        numbers = [0] * 1000
        for number in numbers:
            last = number
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C
