"""Loops take entries of NumPy's maximum as arrays without dimensions, and make numbers of them.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    A.tolist(), B.tolist()
    M = np.maximum(A, B)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        row = M[i]
        for j in range(A.shape[1]):
            C[i, j] = int(row[j, ...])
    return C
