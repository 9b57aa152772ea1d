"""A function calls itself for the next row, a thousand deep, as a setting of the file allows.

slow: its neighbours of the same kind are in the fast set
"""

sys.setrecursionlimit(5000)


def larger(a, b):
    return [x if x > y else y for x, y in zip(a, b)]


def rows_from(A, B, i):
    if i == len(A):
        return []
    rest = rows_from(A, B, i + 1)
    return [larger(A[i], B[i])] + rest


def max_cpu(A, B):
    return np.array(rows_from(A.tolist(), B.tolist(), 0))
