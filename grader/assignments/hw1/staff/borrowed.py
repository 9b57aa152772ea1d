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
