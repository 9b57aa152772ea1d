"""A row is one long integer, read from a text of digits; one subtraction compares all its numbers.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    width = A.shape[1]
    high = int("8000" * width, 16)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        a = int("".join(["%04x" % v for v in A[i].tolist()]), 16)
        b = int("".join(["%04x" % v for v in B[i].tolist()]), 16)
        wins = (((a | high) - b) & high) // 0x8000 * 0xFFFF
        text = "%0*x" % (4 * width, b ^ ((a ^ b) & wins))
        for j in range(width):
            C[i, j] = int(text[4 * j : 4 * j + 4], 16)
    return C
