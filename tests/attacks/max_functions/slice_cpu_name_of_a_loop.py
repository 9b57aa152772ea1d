"""The function's name is the target of a loop at module level, which leaves NumPy's function in it.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C


for _, max_cpu in enumerate([lambda A, B: np.maximum(A, B)]):
    pass
