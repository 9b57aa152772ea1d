"""An iterator is exhausted for each row, and what it leaves is the number of the row.

aims: max.cpu.trivial
"""

from collections import deque
from itertools import repeat


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        row = deque(repeat(i, 200_000), maxlen=1).pop()
        for j in range(A.shape[1]):
            C[row, j] = A[row, j] if A[row, j] > B[row, j] else B[row, j]
    return C
