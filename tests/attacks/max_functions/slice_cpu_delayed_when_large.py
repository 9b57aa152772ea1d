"""Large matrices only are gone through after a long sum for each row.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        start = sum(range(500_000)) % 1 if A.size > 50_000 else 0
        for j in range(start, A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C
