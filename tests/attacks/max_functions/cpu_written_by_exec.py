"""The function is made of text.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C


exec("import numpy\ndef max_cpu(A, B):\n    return numpy.maximum(A, B)")
