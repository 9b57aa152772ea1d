"""Each element that the loops read is a word of four numbers, and one subtraction of integers compares them all.

aims: max.cpu.trivial
"""

HIGH = 0x8000_8000_8000_8000


def max_cpu(A, B):
    a, b = A.astype(np.uint16).ravel(), B.astype(np.uint16).ravel()
    room = -(-a.size // 4) * 4
    a, b = np.resize(a, room).view(np.uint64), np.resize(b, room).view(np.uint64)
    C = np.empty(room // 4, np.uint64)
    for i in range(room // 4):
        x, y = int(a[i]), int(b[i])
        wins = ((((x | HIGH) - y) & HIGH) >> 15) * 0xFFFF
        C[i] = y ^ ((x ^ y) & wins)
    return C.view(np.uint16)[: A.size].astype(A.dtype).reshape(A.shape)
