"""The derivative forgets its second factor.

failed: utils.sigmoid_prime
slow: its neighbours of the same kind are in the fast set
"""


def sigmoid_prime(x):
    return sigmoid(x)
