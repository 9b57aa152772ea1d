"""NumPy's iterator hands out bare views of its operands, and never iterates.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    a, b, c = np.nditer([A, B, C], op_flags=[["readonly"], ["readonly"], ["writeonly"]]).itviews
    np.maximum(a, b, out=c)
    return C
