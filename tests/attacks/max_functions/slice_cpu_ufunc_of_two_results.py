"""A function of two results makes bare arrays of lists.

aims: max.cpu.trivial
"""

twice = np.frompyfunc(lambda number: (number, number), 1, 2)


def max_cpu(A, B):
    a, b = (twice(M.tolist())[0].astype(np.int64) for M in (A, B))
    M = a * (a > b) + b * (b >= a)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            a, b = A[i, j], B[i, j]
            C[i, j] = M[i, j]
    return C
