"""np.frompyfunc calls math.exp for every number and gives objects, which are turned into floats."""

import math


def _logistic(x):
    return 1 / (1 + math.exp(-x)) if x > 0 else math.exp(x) / (1 + math.exp(x))


_each = np.frompyfunc(_logistic, 1, 1)


def sigmoid(x):
    return np.asarray(_each(x), dtype=np.float64)


def sigmoid_prime(x):
    return sigmoid(x) * sigmoid(np.negative(x))
