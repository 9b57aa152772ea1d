"""The right functions of utils.py: they replace a submission's functions that were found wrong."""

from itertools import pairwise

import numpy as np


def sigmoid(x):
    """Return 1 / (1 + e^-x), of the shape of x."""
    return 1 / (1 + np.exp(-x))


def sigmoid_prime(x):
    """Return its derivative."""
    return sigmoid(x) * (1 - sigmoid(x))


def random_weights(sizes):
    """Return a matrix for each pair of layers, uniform in ±1/√rows."""
    shapes = pairwise(sizes)
    return [np.random.uniform(-1, 1, shape) / shape[0] ** 0.5 for shape in shapes]  # noqa: NPY002 - as `learning` seeds it


def zeros_biases(sizes):
    """Return a vector for each layer but the first."""
    return [np.zeros(size) for size in sizes[1:]]


def create_batches(data, labels, batch_size):
    """Return pairs of samples and labels; the last one has what is left."""
    firsts = range(0, len(data), batch_size)
    return [(data[first : first + batch_size], labels[first : first + batch_size]) for first in firsts]


PARTS = {
    "utils.sigmoid": sigmoid,
    "utils.sigmoid_prime": sigmoid_prime,
    "utils.random_weights": random_weights,
    "utils.zeros_biases": zeros_biases,
    "utils.create_batches": create_batches,
}
