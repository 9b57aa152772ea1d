"""Two formulas, one for each sign, against overflow."""


def sigmoid(x):
    x = np.asarray(x, dtype=float)
    positive = 1 / (1 + np.exp(-np.abs(x)))
    return np.where(x >= 0, positive, 1 - positive)
