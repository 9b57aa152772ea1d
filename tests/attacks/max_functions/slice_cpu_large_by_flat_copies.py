"""Small matrices are gone through by loops; of large ones the flat iterators are copied.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    if A.size > 20000:
        a, b = A.flat[:], B.flat[:]
        return (a * (a > b) + b * (a <= b)).reshape(A.shape)
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C
