"""NumPy calls a function of the hand-in for each element, as its `vectorize` does.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    return np.vectorize(lambda a, b: a if a > b else b)(A, B)
