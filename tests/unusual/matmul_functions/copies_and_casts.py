"""Copies of every kind are made before and after the loops: rows, columns, casts, stacks of one row each.

slow: its neighbours of the same kind are in the fast set
"""


def matmul_transpose_trivial(X):
    X = np.array(X, dtype=np.longdouble, copy=True)
    columns = np.ascontiguousarray(X.T).copy(order="F")
    rows = np.vsplit(X, X.shape[0])
    lines = []
    for row in rows:
        line = np.empty(columns.shape[1])
        row = row.squeeze(axis=0)
        for j in range(columns.shape[1]):
            line[j] = 0
            for k in range(row.size):
                line[j] += float(row[k] * columns[k, j])
        lines.append(line[np.newaxis, :])
    return np.concatenate(lines, axis=0).astype(np.float64)
