"""The sigmoid is a generic function: one version for numbers, one for arrays, one for lists.

slow: its neighbours of the same kind are in the fast set
"""

import math
from functools import singledispatch


@singledispatch
def sigmoid(x):
    return sigmoid(np.asarray(x, dtype=float))


@sigmoid.register(int)
@sigmoid.register(float)
def _(x):
    return 1.0 / (1.0 + math.exp(-x)) if x > -700 else math.exp(x)


@sigmoid.register
def _(x: np.ndarray):
    return 1.0 / (1.0 + np.exp(-np.maximum(x, -700.0)))


def sigmoid_prime(x):
    s = sigmoid(x)
    return s * (1 - s)
