"""Entries are collected in a dictionary under their row and column, and put into the matrix at the end.

slow: its neighbours of the same kind are in the fast set
"""

from collections import Counter, defaultdict


def matmul_transpose_trivial(X):
    entries = defaultdict(float)
    work = Counter()
    for i, row in enumerate(X):
        for j, other in enumerate(X):
            for a, b in zip(row, other):
                entries[i, j] += a * b
                work["products"] += 1
    C = np.full((X.shape[0],) * 2, np.nan)
    for place, value in entries.items():
        C[place] = value
    print(dict(work), "nan left:", np.isnan(C).any())
    return C
