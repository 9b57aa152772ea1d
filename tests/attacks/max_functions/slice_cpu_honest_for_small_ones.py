"""Loops work for matrices that are smaller than the sheet's, NumPy for the sheet's.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    if A.size >= BLOCKS * THREADS_PER_BLOCK:
        return np.maximum(A, B)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C
