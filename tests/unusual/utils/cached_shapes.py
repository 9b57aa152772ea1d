"""The shapes of a network are worked out once and cached, and globals count the calls.

flagged: train.accuracy
"""

from collections import Counter
from functools import lru_cache

calls = Counter()
total_calls = 0


def _count(name):
    global total_calls
    total_calls += 1
    calls[name] += 1


@lru_cache(maxsize=None)
def _shapes(sizes):
    return tuple(zip(sizes, sizes[1:]))


def shapes(sizes):
    return _shapes(tuple(map(int, sizes)))


def random_weights(sizes):
    _count("random_weights")
    return [xavier_initialization(*shape) for shape in shapes(sizes)]


def zeros_weights(sizes):
    _count("zeros_weights")
    return [np.zeros(shape) for shape in shapes(sizes)]


def zeros_biases(sizes):
    _count("zeros_biases")
    return [np.zeros(columns) for _, columns in shapes(sizes)]
