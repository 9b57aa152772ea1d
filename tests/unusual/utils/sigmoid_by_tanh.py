"""The same curve by another formula.

slow: its neighbours of the same kind are in the fast set
"""


def sigmoid(x):
    return 0.5 * (np.tanh(0.5 * np.asarray(x)) + 1)


def sigmoid_prime(x):
    return 0.25 * (1 - np.tanh(0.5 * np.asarray(x)) ** 2)
