"""Formats a line about each tenth row, with a text of the module by the operator, and one by the method.

slow: its neighbours of the same kind are in the fast set
"""

LINE = "%d of %d rows"


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        if i % 100 == 0:
            print(LINE % (i, A.shape[0]), "row {0:>5} of {1.shape[0]}".format(i, A))
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C
