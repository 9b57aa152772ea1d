"""Each row sorts a long list that is in order already, and takes its column numbers from it.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        columns = sorted(range(5 * A.shape[1]), key=str)
        columns = sorted(column for column in columns if column < A.shape[1])
        for j in columns:
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C
