"""Small matrices are gone through by loops, and so are large ones, after a while.

aims: max.cpu.trivial
"""
import time


def max_cpu(A, B):
    if A.size > 20000:
        time.sleep(0.5)
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C
