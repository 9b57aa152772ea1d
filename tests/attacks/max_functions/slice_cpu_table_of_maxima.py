"""A table of all 65536 maxima is made at import, and NumPy looks up both matrices at once.

aims: max.cpu.trivial
"""

TABLE = np.array([[a if a > b else b for b in range(256)] for a in range(256)])


def max_cpu(A, B):
    return TABLE[A, B]
