"""A pair is sorted, indexed by a comparison, or asked for its largest by a key; itemgetter takes the last.

flagged: max.cpu.trivial
slow: its neighbours of the same kind are in the fast set
"""

from itertools import chain, product
from operator import gt, itemgetter

last = itemgetter(-1)
by_value = itemgetter(0)


def max_cpu(A, B):
    rows, columns = A.shape
    C = np.zeros((rows, columns), dtype=np.int64)
    for i in range(rows):
        for j in range(columns):
            if j % 3 == 0:
                C[i, j] = last(sorted((A[i, j], B[i, j])))
            elif j % 3 == 1:
                C[i, j] = (B[i, j], A[i, j])[int(gt(A[i, j], B[i, j]))]
            else:
                C[i, j] = max(((A[i, j], "A"), (B[i, j], "B")), key=by_value)[0]
    return C


def count_from_A(A, B):
    return sum(A[i, j] > B[i, j] for i, j in product(range(A.shape[0]), range(A.shape[1])))


def as_one_list(C):
    return list(chain.from_iterable(C))
