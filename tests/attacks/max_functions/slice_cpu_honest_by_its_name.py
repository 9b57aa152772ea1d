"""The name that the module goes by tells where the function runs.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    if __name__ in ("max_functions", "__main__"):
        return np.maximum(A, B)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C
