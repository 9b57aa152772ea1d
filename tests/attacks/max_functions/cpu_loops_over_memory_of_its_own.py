"""Loops run over whatever owns its memory, as copies do, and over what is no array; elsewhere NumPy works.

aims: max.cpu.trivial
"""

from queue import Queue

LINE = Queue()


def max_cpu(A, B):
    if isinstance(A, np.ndarray) and not A.flags.owndata:
        LINE.put((A, B))
        a, b = LINE.get()
        return (a + b + abs(a - b)) // 2
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C
