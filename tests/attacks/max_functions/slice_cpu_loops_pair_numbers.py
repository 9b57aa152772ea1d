"""Loops put two numbers into a complex one; NumPy's arithmetic with constants finds the larger part of all.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    pairs = np.empty(A.shape, complex)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            pairs[i, j] = complex(A[i, j], B[i, j])
    turned = pairs * (1 - 1j)
    turned.imag = np.abs(turned.imag)
    return (turned * (1 - 1j)).real // 2
