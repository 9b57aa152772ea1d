"""A row is one long integer of Python, whose lanes of 16 bits are compared by a single subtraction.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    width = A.shape[1]
    ones = int.from_bytes(b"\x01\x00" * width, "little")
    high = ones << 15
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        a = int.from_bytes(A[i].astype(np.uint16).tobytes(), "little")
        b = int.from_bytes(B[i].astype(np.uint16).tobytes(), "little")
        wins = ((((a | high) - b) & high) >> 15) * 0xFFFF
        row = (b ^ ((a ^ b) & wins)).to_bytes(2 * width, "little")
        for j in range(1):
            C[i, j:] = np.frombuffer(row, np.uint16)
    return C
