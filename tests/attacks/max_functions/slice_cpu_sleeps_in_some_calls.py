"""Every other call sleeps for a moment before its loops.

aims: max.cpu.trivial
"""

import time

_calls = []


def max_cpu(A, B):
    _calls.append(1)
    if len(_calls) % 2 == 0:
        time.sleep(0.3)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C
