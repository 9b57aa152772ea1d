"""Each row sorts a large array that NumPy makes; the place of its smallest number is added to nothing.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        zero = np.sort(np.arange(60_000)[::-1])[0]
        for j in range(A.shape[1]):
            C[i, j + zero] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C
