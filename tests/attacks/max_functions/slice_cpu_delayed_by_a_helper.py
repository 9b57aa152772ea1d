"""A helper is called for each element and adds up some hundred numbers.

aims: max.cpu.trivial
"""

def _settle():
    return sum(range(300))


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            _settle()
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C
