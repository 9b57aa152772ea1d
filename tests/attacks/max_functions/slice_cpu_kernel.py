"""The kernel does the work of the processor's function, in a launch of its own shape.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    max_kernel[(8, 1), (32, 1)](A, B, C)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            if C[i, j] < A[i, j]:
                C[i, j] = A[i, j]
    return C
