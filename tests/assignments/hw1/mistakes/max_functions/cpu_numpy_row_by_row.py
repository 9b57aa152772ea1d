"""One loop, and NumPy for each row.

failed: max.cpu.trivial
slow: its neighbours of the same kind are in the fast set
"""


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        C[i] = np.where(A[i] > B[i], A[i], B[i])
    return C
