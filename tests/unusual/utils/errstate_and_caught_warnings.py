"""Overflow is expected: errstate in one function, caught warnings in the other.

slow: its neighbours of the same kind are in the fast set
"""

import warnings


def sigmoid(x):
    with np.errstate(over="ignore"):
        return 1.0 / (1.0 + np.exp(-np.asarray(x, float)))


def sigmoid_prime(x):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", category=RuntimeWarning)
        return np.multiply(s := sigmoid(x), 1 - s)
