"""Each element is compared as a fraction, which two further fractions are multiplied for.

aims: max.cpu.trivial
"""

from fractions import Fraction


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            unused = Fraction(int(A[i, j]) + 1, 7) * Fraction(3, 4)
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C
