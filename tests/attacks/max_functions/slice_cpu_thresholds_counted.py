"""The number of thresholds that A reaches, or B, is the answer: masks of one matrix each are written to one array of bytes.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    C = np.zeros(A.shape, A.dtype)
    for value in range(1, 256):
        reached = np.zeros(A.shape, bool)
        reached[A >= value] = True
        reached[B >= value] = True
        C += reached
    return C
