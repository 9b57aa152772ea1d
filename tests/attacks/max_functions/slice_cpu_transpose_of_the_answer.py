"""Loops fill the answer, and NumPy fills it again by its transpose; what is returned is the array of the loops.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    C = np.zeros(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = B[i, j]
    np.copyto(C.T, A.T, where=C.T < A.T)
    return C
