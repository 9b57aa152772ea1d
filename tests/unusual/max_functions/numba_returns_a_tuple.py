"""Compiled code gets both matrices as one tuple, and returns the result with a count of who won.

slow: its neighbours of the same kind are in the fast set
"""


@njit
def compare(pair):
    A, B = pair
    C = np.zeros(A.shape, A.dtype)
    wins = 0
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            if A[i, j] > B[i, j]:
                C[i, j] = A[i, j]
                wins += 1
            else:
                C[i, j] = B[i, j]
    return C, wins


def max_numba(A, B):
    C, wins = compare((A, B))
    print(f"A wins {wins} of {C.size}")
    return C
