"""NumPy's order of the two numbers of each place is an array of indices, by which loops choose between two matrices.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    order = np.argsort(np.array((A, B)), axis=0, kind="stable")[1]
    both = A, B
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = both[order[i, j]][i, j]
    return C
