"""NumPy's functions are imported by themselves, its random numbers under another name.

slow: its neighbours of the same kind are in the fast set
"""

import numpy as xp
import numpy.random as npr
from numpy import asarray, exp, sqrt, zeros


def sigmoid(x):
    return 1 / (1 + exp(-asarray(x)))


def sigmoid_prime(x):
    return xp.prod([sigmoid(x), 1 - sigmoid(x)], axis=0)


def random_weights(sizes):
    return [npr.uniform(-1 / sqrt(m), 1 / sqrt(m), (m, n)) for m, n in pairwise(sizes)]


def zeros_weights(sizes):
    return [zeros((m, n)) for m, n in pairwise(sizes)]
