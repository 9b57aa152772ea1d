"""A result of the argument's type, filled in a loop: right for floats, zeros for integers; a TA is told.

flagged: utils.sigmoid
slow: its neighbours of the same kind are in the fast set
"""

import math


def sigmoid(x):
    x = np.asarray(x)
    result = np.zeros_like(x)
    for index in np.ndindex(x.shape):
        result[index] = 1 / (1 + math.exp(-x[index]))
    return result


def sigmoid_prime(x):
    s = 1 / (1 + np.exp(-x))
    return s * (1 - s)
