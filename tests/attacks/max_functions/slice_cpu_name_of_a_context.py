"""A context manager's value gets the function's name.

aims: max.cpu.trivial
"""

from contextlib import nullcontext


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C


with nullcontext((len, np.maximum)) as (_, max_cpu):
    pass
