"""A pass checks the numbers, a second fills lists, a third chooses, and a fourth copies into the result.

slow: its neighbours of the same kind are in the fast set
"""


def max_cpu(A, B):
    rows, columns = A.shape
    for i in range(rows):
        for j in range(columns):
            if min(A[i, j], B[i, j]) < 0:
                raise ValueError("negative")
    first = []
    second = []
    for i in range(rows):
        for j in range(columns):
            first.append(A[i, j])
            second.append(B[i, j])
    chosen = []
    k = 0
    while k < len(first):
        chosen.append(first[k] if first[k] >= second[k] else second[k])
        k += 1
    C = np.zeros((rows, columns), dtype=A.dtype)
    for i in range(rows):
        for j in range(columns):
            C[i, j] = chosen[i * columns + j]
    return C
