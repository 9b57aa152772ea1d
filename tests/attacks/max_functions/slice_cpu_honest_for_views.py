"""Whether the matrix is a view of another, as one with a watching class is, decides between loops and NumPy.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    if A.base is None or A.base.shape != A.shape:
        return np.maximum(A, B)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C
