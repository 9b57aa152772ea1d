"""Compiled loops go through both matrices and the result by `np.nditer`; sizes of numbers come from the dtype.

slow: its neighbours of the same kind are in the fast set
"""


def max_cpu(A, B):
    number = A.dtype.type
    C = np.full(A.shape, number(0))
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = number(A[i, j] if A[i, j] > B[i, j] else B[i, j])
    return C


@njit
def max_numba(A, B):
    C = np.empty_like(A)
    for a, b, c in np.nditer((A, B, C)):
        if a.item() > b.item():
            c[()] = a.item()
        else:
            c[()] = b.item()
    return C
