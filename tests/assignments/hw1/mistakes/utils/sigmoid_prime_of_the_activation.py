"""The derivative as if x were already an activation: x (1 - x).

failed: utils.sigmoid_prime
"""


def sigmoid_prime(x):
    return x * (1 - x)
