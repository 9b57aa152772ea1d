"""Right in plain Python, and shown to a TA.

flagged: max.cpu.trivial
"""

# %% numbers_converted_by_vectorize
"""`np.vectorize` makes integers of Python of all numbers; loops of its own choose."""
def max_cpu(A, B):
    a, b = np.vectorize(int)(A), np.vectorize(int)(B)
    C = np.zeros(A.shape, dtype=A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = a[i, j] if a[i, j] > b[i, j] else b[i, j]
    return C

# %% numpy_picks_of_two_numbers
"""Loops of its own, in which NumPy picks the larger of two numbers: the sheet wants no existing functions."""
def max_cpu(A, B):
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = np.maximum(A[i, j], B[i, j])
    return C

# %% sorted_pairs_and_keys
"""A pair is sorted, indexed by a comparison, or asked for its largest by a key; itemgetter takes the last."""
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
