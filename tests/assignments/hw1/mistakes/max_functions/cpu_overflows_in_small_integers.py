"""The result is kept in int8, which ends at 127.

failed: max.cpu.correct
skipped: max.cpu.trivial
slow: its neighbours of the same kind are in the fast set
"""


def max_cpu(A, B):
    C = np.zeros(A.shape, np.int8)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C
