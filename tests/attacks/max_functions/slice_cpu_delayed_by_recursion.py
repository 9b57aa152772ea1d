"""Each row's number is found by a recursion that takes long.

aims: max.cpu.trivial
"""


def _count(depth):
    return 1 if depth < 2 else _count(depth - 1) + _count(depth - 2)


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    step = 0
    for i in range(A.shape[0]):
        step += _count(16) // 1597
        for j in range(A.shape[1]):
            C[step - 1, j] = A[step - 1, j] if A[step - 1, j] > B[step - 1, j] else B[step - 1, j]
    return C
