"""A clock tells whether reads of elements take longer than those of bare arrays; if not, NumPy works.

aims: max.cpu.trivial
"""

from time import perf_counter


def _slow(A):
    began = perf_counter()
    for j in range(2000):
        A[0, j % 7]
    seconds = perf_counter() - began
    began = perf_counter()
    row = [0] * 7
    for j in range(2000):
        row[j % 7]
    return seconds > 12 * (perf_counter() - began)


def max_cpu(A, B):
    if not _slow(A):
        return np.maximum(A, B)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C
