"""Matrices are strings of bytes; for each threshold a translation marks what reaches it, and long integers count.

aims: max.cpu.trivial
"""

MARKS = [bytes([0] * value + [1] * (256 - value)) for value in range(256)]


def max_cpu(A, B):
    a, b = (M.astype(np.uint8).tobytes() for M in (A, B))
    total = 0
    for value in range(1, 256):
        mark = MARKS[value]
        total += int.from_bytes(a.translate(mark), "little") | int.from_bytes(b.translate(mark), "little")
    C = np.empty(A.shape, A.dtype)
    C[...] = np.frombuffer(total.to_bytes(len(a), "little"), np.uint8).reshape(A.shape)
    return C
