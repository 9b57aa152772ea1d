"""Helpers cached with lru_cache and cache, and a counter of a class of its own.

slow: its neighbours of the same kind are in the fast set
"""

from functools import cache, lru_cache, cached_property


class Counter:
    total = 0

    def __init__(self, name):
        self.name = name
        self.last = 0

    def add(self, value):
        Counter.total += 1
        self.last = value
        return value


counter = Counter("sigmoid")


@lru_cache
def scale(m):
    return 1.0 / np.sqrt(m)


@cache
def shapes(sizes):
    return tuple(zip(sizes, sizes[1:]))


class Sizes:
    def __init__(self, sizes):
        self.sizes = tuple(sizes)

    @cached_property
    def pairs(self):
        return shapes(self.sizes)


def sigmoid(x):
    counter.add(np.size(x))
    return 1 / (1 + np.exp(-x))


def xavier_initialization(m, n):
    return np.random.uniform(-scale(m), scale(m), (m, n))


def random_weights(sizes):
    return [xavier_initialization(m, n) for m, n in Sizes(sizes).pairs]


def zeros_weights(sizes):
    return [np.zeros(shape) for shape in shapes(tuple(sizes))]
