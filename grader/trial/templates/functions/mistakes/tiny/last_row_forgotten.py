"""The loop over the rows ends one too early.

failed: add.cpu
"""


def add_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0] - 1):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] + B[i, j]
    return C
