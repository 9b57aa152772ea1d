"""Each element is chosen forty times, from two numbers that were read once.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            a, b = A[i, j], B[i, j]
            for _ in range(40):
                larger = a if a > b else b
            C[i, j] = larger
    return C
