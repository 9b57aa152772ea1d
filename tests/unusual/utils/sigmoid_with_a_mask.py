"""The textbook's way against overflow, with a mask: arrays only, no single numbers, so that a TA is told.

flagged: utils.sigmoid utils.sigmoid_prime
slow: its neighbours of the same kind are in the fast set
"""


def sigmoid(x):
    result = np.zeros(x.shape)
    positive = x >= 0
    result[positive] = 1 / (1 + np.exp(-x[positive]))
    power = np.exp(x[~positive])
    result[~positive] = power / (1 + power)
    return result


def sigmoid_prime(x):
    s = sigmoid(x)
    return s * (1 - s)
