"""While loops with counters, and a walrus.

slow: its neighbours of the same kind are in the fast set
"""


def max_cpu(A, B):
    C = np.copy(A)
    i = 0
    while i < A.shape[0]:
        j = 0
        while j < A.shape[1]:
            if (b := B[i, j]) > C[i, j]:
                C[i, j] = b
            j += 1
        i += 1
    return C
