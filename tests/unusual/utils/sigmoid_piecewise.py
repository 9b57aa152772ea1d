"""Two formulas, one for each sign, against overflow.

slow: its neighbours of the same kind are in the fast set
"""


def sigmoid(x):
    x = np.asarray(x, dtype=float)
    positive = 1 / (1 + np.exp(-np.abs(x)))
    return np.where(x >= 0, positive, 1 - positive)
