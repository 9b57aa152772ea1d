"""Small matrices are gone through by loops; of large ones NumPy takes ten picked entries at a time.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    if A.size > 20000:
        C = np.empty_like(A)
        for j in range(0, A.shape[1], 10):
            some = [j, j + 1, j + 2, j + 3, j + 4, j + 5, j + 6, j + 7, j + 8, j + 9]
            for i in range(A.shape[0]):
                a, b = A[i, some], B[i, some]
                C[i, some] = a * (a > b) + b * (a <= b)
        return C
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C
