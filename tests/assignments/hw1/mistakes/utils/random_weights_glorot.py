"""Glorot's bound, which knows rows and columns; the sheet's knows rows only.

failed: utils.random_weights
slow: its neighbours of the same kind are in the fast set
"""


def xavier_initialization(m, n):
    bound = np.sqrt(6.0 / (m + n))
    return np.random.uniform(-bound, bound, size=(m, n))
