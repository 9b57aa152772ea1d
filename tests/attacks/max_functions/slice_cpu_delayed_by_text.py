"""Each row builds a long text, and its length is the number of columns.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        text = ""
        for part in "abcdefghij" * 400:
            text = part + text
        for j in range(A.shape[1] + len(text) - 4000):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C
