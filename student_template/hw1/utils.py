"""Building blocks of a fully connected network with sigmoid activations. Yours to fill in, one line each.

A network of L + 1 layers is described by `sizes`, the number of neurons in each; layer 0 is the input. `network.py`
calls everything below; `python main.py` trains with it.
"""

import numpy as np


def sigmoid(x):
    """Compute 1 / (1 + e^-x) for a number, or for every entry of an array of any shape."""
    raise NotImplementedError("utils.py: fill in sigmoid(x), which is 1 / (1 + e^-x)")


def sigmoid_prime(x):
    """Compute the derivative of the sigmoid at x, for a number or for every entry of an array of any shape."""
    raise NotImplementedError("utils.py: fill in sigmoid_prime(x), the derivative of the sigmoid at x")


def random_weights(sizes):
    """Return a list of L random matrices, drawn with `xavier_initialization` (see the end of this file).

    The matrix at position i connects layer i with layer i + 1; its shape is (sizes[i], sizes[i + 1]).
    """
    raise NotImplementedError("utils.py: fill in random_weights(sizes), one xavier_initialization(m, n) per layer")


def zeros_weights(sizes):
    """Return a list of L matrices of zeros, with the same shapes as `random_weights` has them."""
    raise NotImplementedError("utils.py: fill in zeros_weights(sizes), one matrix of zeros per layer")


def zeros_biases(sizes):
    """Return a list of one-dimensional vectors of zeros: one for each of the layers 1 to L, as long as the layer."""
    raise NotImplementedError("utils.py: fill in zeros_biases(sizes), one vector of zeros per layer")


def create_batches(data, labels, batch_size):
    """Return a list of batches, each of which is a pair (data, labels) of `batch_size` samples.

    The samples keep their order. Where their number is no multiple of `batch_size`, the last batch is shorter.
    """
    raise NotImplementedError("utils.py: fill in create_batches(data, labels, batch_size), a list of pairs")


def add_elementwise(list1, list2):
    """Return a list whose entry i is list1[i] + list2[i]. The entries can be arrays of different shapes."""
    raise NotImplementedError("utils.py: fill in add_elementwise(list1, list2), the list of the sums")


def xavier_initialization(m, n):
    """Draw a matrix of shape (m, n) uniformly from [-1/√m, 1/√m). Given; leave it as it is."""
    bound = 1.0 / np.sqrt(m)
    return np.random.uniform(-bound, bound, size=(m, n))  # noqa: NPY002 (np.random.seed makes a training repeatable)
