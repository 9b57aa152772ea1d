"""A number that is always zero takes a long sum to find for each row, and is added to the elements.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        carry = sum(range(-40000, 40001)) + i - i
        for j in range(A.shape[1]):
            a, b = A[i, j] + carry, B[i, j] + carry
            C[i, j] = a if a > b else b
    return C
