"""Loops compare a row's first numbers, until NumPy finds two in a row on one side; then NumPy does the rest of it.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            left, right = A[i, j:], B[i, j:]
            run = int((left > right).argmin()) or int((left <= right).argmin())
            if run < 2 and j + 1 < A.shape[1]:
                C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
            else:
                C[i, j:] = np.maximum(left, right)
                break
    return C
