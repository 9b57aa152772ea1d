"""The staff's functions in place of wrong ones: what calls them can be right, and one mistake costs one check.

Students get this file with the kit. So all but the sheet's own formula are good enough to train with, and would not
pass as an answer: a rough slope, weights of another distribution, biases of another shape, no last batch.
"""

from itertools import pairwise

import numpy as np
import utils

STEP = 0.1


def sigmoid(x):
    """Return 1 / (1 + e^-x), of the shape of x."""
    return 1 / (1 + np.exp(-x))


def sigmoid_prime(x):
    """Return what the sigmoid_prime of utils.py makes of x if it calls this sigmoid."""
    own, utils.sigmoid = utils.sigmoid, sigmoid
    try:
        return utils.sigmoid_prime(x)
    finally:
        utils.sigmoid = own


def train(names, *args):
    """Return what `training.train` returns with the staff's functions of these names in place of the submitted ones."""
    import network  # noqa: PLC0415 - needs all of utils.py, which the function above does not
    import training  # noqa: PLC0415

    for name in names:
        setattr(utils, name, PARTS[name])
        setattr(network, name, PARTS[name])
    return training.train(*args)


def _slope(x):
    return (sigmoid(x + STEP) - sigmoid(x - STEP)) / (2 * STEP)


def _normal_weights(sizes):
    shapes = pairwise(sizes)
    return [np.random.normal(0, (3 * rows) ** -0.5, (rows, columns)) for rows, columns in shapes]  # noqa: NPY002 - as `learning` seeds it


def _flat_biases(sizes):
    return [np.zeros((1, size)) for size in sizes[1:]]


def _whole_batches(data, labels, batch_size):
    count = len(data) // batch_size
    kept = slice(count * batch_size)
    return list(zip(np.split(data[kept], count), np.split(labels[kept], count), strict=True))


PARTS = {
    "sigmoid": sigmoid,
    "sigmoid_prime": _slope,
    "random_weights": _normal_weights,
    "zeros_biases": _flat_biases,
    "create_batches": _whole_batches,
}
