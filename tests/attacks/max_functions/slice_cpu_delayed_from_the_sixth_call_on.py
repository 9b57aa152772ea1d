"""The first five calls are quick; each later one adds up numbers for each element.

aims: max.cpu.trivial
"""

_calls = []


def max_cpu(A, B):
    _calls.append(1)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            if len(_calls) > 5:
                sum(range(300))
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C
