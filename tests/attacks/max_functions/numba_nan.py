"""Not a number everywhere: a careless comparison lets it pass.

aims: max.numba.correct max.numba.compiled
"""


@njit
def max_numba(A, B):
    return np.full(A.shape, np.nan)
