"""The derivative calls itself without end.

failed: utils.sigmoid_prime
"""


def sigmoid_prime(x):
    return sigmoid(x) * (1 - sigmoid_prime(x))
