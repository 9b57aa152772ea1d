"""Another curve of the same look.

failed: utils.sigmoid utils.sigmoid_prime train.accuracy
"""


def sigmoid(x):
    return np.tanh(x)


def sigmoid_prime(x):
    return 1 - np.tanh(x) ** 2
