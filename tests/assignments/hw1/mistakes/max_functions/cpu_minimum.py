"""The comparison is the wrong way round.

failed: max.cpu.correct
skipped: max.cpu.trivial
slow: its neighbours of the same kind are in the fast set
"""


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] < B[i, j] else B[i, j]
    return C
