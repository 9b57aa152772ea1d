"""A star import gives the name of the helper that loops to NumPy's function of the same name.

aims: max.cpu.trivial
"""


def fmax(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C


def max_cpu(A, B):
    return fmax(A, B)


from numpy import *
