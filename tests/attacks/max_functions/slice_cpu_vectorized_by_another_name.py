"""NumPy's `frompyfunc`, imported under another name, calls a function of the hand-in for each element.

aims: max.cpu.trivial
"""

from numpy import frompyfunc as each

_larger = each(lambda a, b: a if a > b else b, 2, 1)


def max_cpu(A, B):
    return _larger(A, B).astype(A.dtype)
