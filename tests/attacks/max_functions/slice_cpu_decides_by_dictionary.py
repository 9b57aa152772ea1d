"""NumPy's maximum is the key by which a dictionary of two hands out an element: the numbers copied are A's and B's own.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        top = dict(enumerate(np.maximum(A[i], B[i]).tolist()))
        for j in range(A.shape[1]):
            C[i, j] = {int(B[i, j]): B[i, j], int(A[i, j]): A[i, j]}[top[j]]
    return C
