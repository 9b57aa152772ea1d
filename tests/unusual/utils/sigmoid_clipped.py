"""The argument is cut off where the curve is flat.

slow: its neighbours of the same kind are in the fast set
"""


def sigmoid(x):
    return 1 / (1 + np.exp(-np.clip(x, -500, 500)))


def sigmoid_prime(z):
    s = sigmoid(z)
    return s - s * s
