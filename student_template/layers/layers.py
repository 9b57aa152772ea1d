"""Layers of a network, forward and backward, on CPU and GPU. Yours to fill in, with kernels of your own.

Columns are samples. README.md has the formulas.
"""

import numpy as np  # noqa: F401 (for your layers)
from matrix import Matrix  # noqa: F401 (the same)
from numba import cuda

TILE = 16  # products: 16 x 16 threads in a block
THREADS = 64  # activations: 64 threads in a block


class Linear:
    """Z = W A + b. Has the Matrices W, b, dW and db."""

    def __init__(self, inputs, outputs, seed=0):
        raise NotImplementedError("layers.py: fill in Linear.__init__, which draws W by the seed")

    def forward(self, A, cpu_only=False):
        """Return Z = W A + b, and remember A for `backward`."""
        raise NotImplementedError("layers.py: fill in Linear.forward")

    def backward(self, dZ, cpu_only=False):
        """Keep dW and db; return dA."""
        raise NotImplementedError("layers.py: fill in Linear.backward")

    def update(self, learning_rate, cpu_only=False):
        """Take a step against the gradient."""
        raise NotImplementedError("layers.py: fill in Linear.update")


class ReLU:
    """A = max(0, Z)."""

    def forward(self, Z, cpu_only=False):
        """Return A, and remember what `backward` needs."""
        raise NotImplementedError("layers.py: fill in ReLU.forward")

    def backward(self, dA, cpu_only=False):
        """Return dZ."""
        raise NotImplementedError("layers.py: fill in ReLU.backward")

    def update(self, learning_rate, cpu_only=False):
        """Do nothing: there are no parameters."""


class Sigmoid:
    """A = 1 / (1 + e^-Z)."""

    def forward(self, Z, cpu_only=False):
        """Return A, and remember what `backward` needs."""
        raise NotImplementedError("layers.py: fill in Sigmoid.forward")

    def backward(self, dA, cpu_only=False):
        """Return dZ."""
        raise NotImplementedError("layers.py: fill in Sigmoid.backward")

    def update(self, learning_rate, cpu_only=False):
        """Do nothing: there are no parameters."""


@cuda.jit
def multiply_and_add(W, A, b, Z):
    """Z = W A + b: one thread computes one entry of Z. Name and arguments of your kernels are up to you."""
    raise NotImplementedError("layers.py: fill in multiply_and_add; the numbers of block and thread say which entry")
