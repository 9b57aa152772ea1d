"""math.exp takes single numbers, not arrays.

failed: utils.sigmoid
slow: its neighbours of the same kind are in the fast set
"""

import math


def sigmoid(x):
    return 1 / (1 + math.exp(-x))


def sigmoid_prime(x):
    return sigmoid(x) * (1 - sigmoid(x))
