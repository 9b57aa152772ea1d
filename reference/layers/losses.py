"""Binary cross-entropy: how far predictions ŷ in (0, 1) are from labels y of 0 or 1.

    L = -1/m (sum over the samples i = 1 … m of y_i log ŷ_i + (1 - y_i) log(1 - ŷ_i))

log 0 is infinite, and so is 1/0. A prediction is therefore kept EPSILON away from 0 and 1 before it is used: then a
hopeless prediction costs 27.6, and a loss is always a number.
"""

import math

import numpy as np
from matrix import Matrix
from numba import cuda

EPSILON = 1e-12
THREADS = 64


def cross_entropy(predictions, labels):
    """Return L, a float; both are Matrix (1, m). The host computes the mean of m numbers: it is needed there."""
    expect_same_shape(predictions, labels)
    y_hat = np.clip(predictions.copy_to_host(), EPSILON, 1 - EPSILON)  # (1, m)
    y = labels.copy_to_host()  # (1, m)
    return float(-np.mean(y * np.log(y_hat) + (1 - y) * np.log(1 - y_hat)))


def cross_entropy_gradient(predictions, labels, cpu_only=False):
    """Return the derivative of each sample's own loss by its ŷ, -y / ŷ + (1 - y) / (1 - ŷ), Matrix (1, m).

    There is no 1/m in it: `Linear.backward` takes the mean.
    """
    expect_same_shape(predictions, labels)
    gradient = Matrix(*predictions.shape)
    if cpu_only:
        y_hat = np.clip(predictions.copy_to_host(), EPSILON, 1 - EPSILON)
        y = labels.copy_to_host()
        gradient.set(-y / y_hat + (1 - y) / (1 - y_hat))
    else:
        blocks = math.ceil(predictions.shape[0] * predictions.shape[1] / THREADS)
        differentiate[blocks, THREADS](predictions.copy_to_device(), labels.copy_to_device(), gradient.allocate())
    return gradient  # (1, m)


def expect_same_shape(predictions, labels):
    """Raise ValueError unless there is one label for each prediction."""
    if predictions.shape != labels.shape:
        raise ValueError(f"predictions have the shape {predictions.shape}, labels {labels.shape}")


@cuda.jit
def differentiate(predictions, labels, gradient):
    """-y / ŷ + (1 - y) / (1 - ŷ), with ŷ kept away from 0 and 1."""
    entry = cuda.grid(1)
    if entry < predictions.size:
        i, j = entry // predictions.shape[1], entry % predictions.shape[1]
        y_hat = min(max(predictions[i, j], EPSILON), 1.0 - EPSILON)
        y = labels[i, j]
        gradient[i, j] = -y / y_hat + (1.0 - y) / (1.0 - y_hat)
