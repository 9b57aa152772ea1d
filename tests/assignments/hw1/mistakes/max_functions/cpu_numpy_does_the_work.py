"""np.maximum does it; the values are right.

failed: max.cpu.trivial
"""


def max_cpu(A, B):
    return np.maximum(A, B)
