"""The comparison is done five times over for every element, and the last one counts.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            for _ in range(5):
                C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C
