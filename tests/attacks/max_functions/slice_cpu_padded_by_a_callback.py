"""A function that pads gets bare rows of both matrices, and compares them.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    A.tolist(), B.tolist()
    rows = []

    def keep(vector, width, axis, more):
        if axis == 2:
            rows.append(vector)

    np.pad(np.stack((A, B)), ((0, 0), (0, 0), (0, 1)), keep)
    C = np.empty(A.shape, A.dtype)
    n = A.shape[0]
    for i in range(n):
        a, b = rows[i][:-1], rows[n + i][:-1]
        C[i] = a * (a > b) + b * (b >= a)
    return C
