"""For each value of A, NumPy clips a copy of B at that constant, and a mask of A alone says where it counts.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for value in range(256):
        np.copyto(C, B.clip(value), where=A == value)
    return C
