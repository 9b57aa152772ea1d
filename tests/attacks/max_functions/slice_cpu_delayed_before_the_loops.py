"""A long sum is taken before the loops begin, as long for small matrices as for large ones.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    start = sum(range(90_000_000)) % 1
    C = np.empty(A.shape, A.dtype)
    for i in range(start, A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C
