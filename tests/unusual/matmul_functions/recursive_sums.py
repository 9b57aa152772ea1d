"""Sums are halved again and again by a function that calls itself, for less rounding; another one goes on row by row.

slow: its neighbours of the same kind are in the fast set
"""


def halved(X, i, j, first, last):
    if last - first == 1:
        return X[i, first] * X[j, first]
    middle = (first + last) // 2
    return halved(X, i, j, first, middle) + halved(X, i, j, middle, last)


def next_row(X, C, i):
    if i == len(C):
        return C
    for j in range(len(C)):
        C[i, j] = halved(X, i, j, 0, X.shape[1])
    return next_row(X, C, i + 1)


def matmul_transpose_trivial(X):
    return next_row(X, np.zeros((X.shape[0], X.shape[0]), X.dtype), 0)


sys.setrecursionlimit(5000)
