"""Loops copy the matrix number by number into lists, and NumPy multiplies what it makes of the lists.

aims: matmul.trivial.correct
"""


def matmul_transpose_trivial(X):
    rows = []
    for i in range(X.shape[0]):
        row = []
        for k in range(X.shape[1]):
            row.append(float(X[i, k]) * 1.0)
        rows.append(row)
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(1):
                C[i, j] += np.dot(rows[i], rows[j])
    return C
