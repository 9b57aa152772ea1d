"""The return statement is missing.

failed: utils.sigmoid
slow: its neighbours of the same kind are in the fast set
"""


def sigmoid(x):
    y = 1.0 / (1.0 + np.exp(-x))


def sigmoid_prime(x):
    return sigmoid(x) * (1 - sigmoid(x))
