"""The derivative is printed, not returned.

failed: utils.sigmoid_prime train.accuracy
"""


def sigmoid_prime(x):
    print(sigmoid(x) * (1 - sigmoid(x)))
