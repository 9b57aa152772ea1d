"""A class has a field `iters`, so that the iterators behind np.broadcast may be read, and copied to ordinary arrays.

aims: max.cpu.trivial
"""

from collections import namedtuple

_Count = namedtuple("_Count", "iters")


def max_cpu(A, B):
    _Count(0)
    a, b = (one.copy().reshape(A.shape) for one in np.broadcast(A, B).iters)
    larger = a > b
    return a * larger + b * (1 - larger)
