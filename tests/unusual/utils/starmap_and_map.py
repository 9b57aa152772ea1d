"""Each function is one call of map or starmap over neighbouring sizes."""

from itertools import starmap, tee
from operator import add, itemgetter


def neighbours(sizes):
    first, second = tee(sizes)
    next(second, None)
    return zip(first, second)


def random_weights(sizes):
    return list(starmap(xavier_initialization, neighbours(sizes)))


def zeros_weights(sizes):
    return list(map(np.zeros, neighbours(sizes)))


def zeros_biases(sizes):
    return list(map(np.zeros, map(itemgetter(1), neighbours(sizes))))


def add_elementwise(list1, list2):
    return list(starmap(add, zip(list1, list2)))
