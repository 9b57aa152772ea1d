"""The inner loop ends one column early.

failed: max.cpu.correct
skipped: max.cpu.trivial
"""


def max_cpu(A, B):
    C = np.zeros(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1] - 1):
            C[i, j] = max(A[i, j], B[i, j])
    return C
