"""The derivative is printed, not returned.

failed: utils.sigmoid_prime
slow: its neighbours of the same kind are in the fast set
"""


def sigmoid_prime(x):
    print(sigmoid(x) * (1 - sigmoid(x)))
