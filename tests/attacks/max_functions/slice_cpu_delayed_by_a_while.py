"""A loop counts to ten for each element, in a variable of its own.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            k = 0
            while k < 10:
                k += 1
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C
