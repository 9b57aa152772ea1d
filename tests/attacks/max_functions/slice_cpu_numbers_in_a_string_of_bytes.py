"""NumPy's maximum is a string of bytes, and the loops read numbers out of it.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    found = np.maximum(A, B).astype(np.uint8).tobytes()
    numbers = iter(found)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = next(numbers)
    return C
