"""s * 1 - s is zero everywhere: the parentheses around 1 - s are missing.

failed: utils.sigmoid_prime
"""


def sigmoid_prime(x):
    s = sigmoid(x)
    return s * 1 - s
