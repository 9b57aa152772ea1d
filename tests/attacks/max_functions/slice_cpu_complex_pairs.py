"""Two numbers are one complex number, whose larger part NumPy finds by its size and angle; loops only copy.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    pairs = A + 1j * B
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        row = (pairs[i].real + pairs[i].imag + abs(pairs[i].real - pairs[i].imag)) / 2
        for j in range(A.shape[1]):
            C[i, j] = row[j]
    return C
