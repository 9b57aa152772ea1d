"""NumPy's maximum gives the shape of an array without contents, and the loops read the shape.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    found = np.maximum(A, B)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j, value in enumerate(found[i].tolist()):
            C[i, j] = np.empty((0, value)).shape[1]
    return C
