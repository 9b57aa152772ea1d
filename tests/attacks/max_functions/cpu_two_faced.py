"""Loops for anything that is no array, and NumPy for arrays.

aims: max.cpu.trivial
"""

PICK = [getattr(np, "maximum")]


def max_cpu(A, B):
    if type(A) is np.ndarray:
        return PICK[0](A, B)
    return [[max(a, b) for a, b in zip(x, y)] for x, y in zip(A, B)]
