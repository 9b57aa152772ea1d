"""Both matrices lie beside each other in the memory of complex numbers, whose parts are sorted.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    pairs = np.empty(A.shape, complex)
    parts = pairs.view(float).reshape(*A.shape, 2)
    parts[..., 0] = A
    parts[..., 1] = B
    parts.sort(axis=-1)
    return parts[..., 1].astype(A.dtype)
