"""The derivative forgets its second factor.

failed: utils.sigmoid_prime train.accuracy
"""


def sigmoid_prime(x):
    return sigmoid(x)
