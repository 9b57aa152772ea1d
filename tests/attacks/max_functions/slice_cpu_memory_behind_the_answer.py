"""The answer lies over a string of bytes, into which NumPy writes by another array over the same bytes.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    room = bytearray(8 * A.size)
    C = np.frombuffer(room, np.int64).reshape(A.shape)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j]
    np.maximum(C, B, out=np.frombuffer(room, np.int64).reshape(A.shape))
    return C
