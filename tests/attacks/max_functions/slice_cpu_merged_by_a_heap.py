"""Places and numbers of both rows, sorted each, are merged by the module `heapq`; a place's last number stays.

aims: max.cpu.trivial
"""

from heapq import merge


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        a, b = (sorted(zip(row.tolist(), range(len(row)))) for row in (A[i], B[i]))
        for value, j in merge(a, b):
            C[i, j] = value
    return C
