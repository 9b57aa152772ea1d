"""A sum of three hundred numbers that is zero is found for each element, and added to it.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            zero = sum(range(-150, 151))
            C[i, j] = zero + (A[i, j] if A[i, j] > B[i, j] else B[i, j])
    return C
