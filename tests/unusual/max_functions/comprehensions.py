"""Loops as comprehensions over pairs of rows.

slow: its neighbours of the same kind are in the fast set
"""


def max_cpu(A, B):
    return np.array([[a if a > b else b for a, b in zip(x, y)] for x, y in zip(A, B)])
