"""A library's function: part 1 does not forbid it."""

from scipy.special import expit


def sigmoid(x):
    return expit(x)
