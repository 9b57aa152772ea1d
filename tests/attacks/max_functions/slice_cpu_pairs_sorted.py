"""Both matrices lie in one array that is sorted along its first axis; loops copy the upper half.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    both = np.array([A, B])
    both.sort(axis=0)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = both[1, i, j]
    return C
