"""Both matrices lie in one array, whose halves are subtracted: nothing of another array is involved.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    both = np.empty((2, *A.shape), A.dtype)
    both[0] = A
    both[1] = B
    gap = both[0] - both[1]
    gap[gap < 0] = 0
    both[1] += gap
    return both[1]
