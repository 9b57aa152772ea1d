"""Small matrices are gone through by loops, large ones by NumPy's `vectorize`.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    if A.size > 50_000:
        return np.vectorize(lambda a, b: a if a > b else b)(A, B)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C
