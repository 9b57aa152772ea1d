"""Compiled code without loops of its own clips one matrix by the other.

aims: max.numba.compiled
"""


@njit
def _whole(first, second):
    return np.clip(first, second, 255)


@njit
def max_numba(A, B):
    for _ in range(1):
        for _ in range(1):
            C = _whole(A, B)
    return C
