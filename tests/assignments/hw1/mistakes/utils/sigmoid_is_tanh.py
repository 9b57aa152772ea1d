"""Another curve of the same look.

failed: utils.sigmoid utils.sigmoid_prime
slow: its neighbours of the same kind are in the fast set
"""


def sigmoid(x):
    return np.tanh(x)


def sigmoid_prime(x):
    return 1 - np.tanh(x) ** 2
