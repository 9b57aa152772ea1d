"""An assignment expression inside a comprehension binds the function's name at module level.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C


CHOICES = [max_cpu := way for way in (np.minimum, np.maximum)]
