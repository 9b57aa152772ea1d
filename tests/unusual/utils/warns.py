"""Warnings of Python and NumPy, and a logger."""

import logging
import warnings

logging.basicConfig(level=logging.DEBUG)
warnings.warn("this is only a warning")


def sigmoid(x):
    logging.debug("called")
    warnings.warn("overflow ahead", RuntimeWarning)
    return 1 / (1 + np.exp(-x))
