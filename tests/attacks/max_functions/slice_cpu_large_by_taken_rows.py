"""Small matrices are gone through by loops; of large ones rows are picked one at a time, which copies them.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    if A.size > 20000:
        C = np.empty_like(A)
        for i in range(A.shape[0]):
            a, b = A[[i]], B[[i]]
            C[i] = a * (a > b) + b * (a <= b)
        return C
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C
