"""The staff's sigmoid in place of a wrong one: what calls that can be right, and one mistake costs one check."""

import numpy as np
import utils


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


def train(*args):
    """Return what `training.train` returns with this sigmoid in the place of the submitted one."""
    import network  # noqa: PLC0415 - needs all of utils.py, which the function above does not
    import training  # noqa: PLC0415

    utils.sigmoid = network.sigmoid = sigmoid
    return training.train(*args)
