"""A copy of B gets single elements of A, at the places that NumPy's comparison lists.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    C = B.copy()
    for i, j in np.argwhere(A > B).tolist():
        C[i, j] = A[i, j]
    return C
