"""Whether a list of NumPy's making is too short for an index decides between two elements, by an exception.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    lengths = np.sign(np.maximum(A - B, 0)).tolist()
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            try:
                (A[i, j],)[lengths[i][j]]
                C[i, j] = B[i, j]
            except IndexError:
                C[i, j] = A[i, j]
    return C
