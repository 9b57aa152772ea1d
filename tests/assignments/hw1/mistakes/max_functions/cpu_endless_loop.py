"""The row number is never raised.

failed: max.cpu.correct
skipped: max.cpu.trivial
warned: max.times max.shapes
limit_s: 4
"""


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    i = 0
    while i < A.shape[0]:
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    return C
