"""Operations of networks as products of matrices. Yours to fill in; README.md has the formulas.

NumPy arrays in and out; every product is by your own gemm.
"""

import numpy as np  # noqa: F401 (to arrange numbers)
from gemm import gemm  # noqa: F401 (for your products)


def convolve(X, K, stride=1, padding=0):
    """Return Y, the convolution of an image with several kernels."""
    raise NotImplementedError("operations.py: fill in convolve")


def convolve_gradients(X, K, dY, stride=1, padding=0):
    """Return dX and dK."""
    raise NotImplementedError("operations.py: fill in convolve_gradients")


def predict(w, b, X):
    """Return what a linear neuron predicts for each sample."""
    raise NotImplementedError("operations.py: fill in predict")


def neuron_gradients(w, b, X, y):
    """Return dw and db."""
    raise NotImplementedError("operations.py: fill in neuron_gradients")


def attend(Q, K, V):
    """Return softmax(Q Kᵀ / √d) V."""
    raise NotImplementedError("operations.py: fill in attend")
