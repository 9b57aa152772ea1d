"""A generator of the hand-in's own is exhausted for each element.

aims: max.cpu.trivial
"""

def _ticks(count):
    for number in range(count):
        yield number


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            for _ in _ticks(10):
                pass
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C
