"""Places and numbers of both matrices lie in one list, which sorts itself; the last of each place stays.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    width = A.shape[1]
    cells = [(v, k) for k, v in enumerate(A.ravel().tolist())] + [(v, k) for k, v in enumerate(B.ravel().tolist())]
    cells.sort()
    C = np.empty(A.shape, A.dtype)
    for value, k in cells:
        C[k // width, k % width] = value
    return C
