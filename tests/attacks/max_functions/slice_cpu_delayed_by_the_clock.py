"""Each row begins when the clock has moved on by a millisecond.

aims: max.cpu.trivial
"""

from time import perf_counter


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    began = perf_counter()
    for i in range(A.shape[0]):
        while perf_counter() - began < i * 0.002:
            row = i
        row = i
        for j in range(A.shape[1]):
            C[row, j] = A[row, j] if A[row, j] > B[row, j] else B[row, j]
    return C
