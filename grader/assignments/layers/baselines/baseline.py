"""What the time of a training is compared with. Frozen: a change here changes grades.

Runs as a script folder of the staff's own worker, beside NumPy; Numba is imported where there is a GPU.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[Any]
EPSILON = 1e-12


def train(parameters: Sequence[Matrix], X: Matrix, Y: Matrix, setting: tuple[float, int], *_: Any) -> Matrix:
    """Return all parameters, one after the other, of Linear, ReLU, Linear and Sigmoid after a training by NumPy.

    Args:
        parameters: W and b of the first layer, (neurons, inputs) and (neurons, 1), and of the second, whose one output
            is the prediction.
        X: One batch of samples, as columns.
        Y: Their labels, (1, samples).
        setting: Learning rate, and number of epochs.
    """
    W1, b1, W2, b2 = parameters
    rate, epochs = setting
    samples = X.shape[1]
    for _epoch in range(epochs):
        Z1 = W1 @ X + b1
        A1 = np.maximum(Z1, 0)
        Y_hat = 1 / (1 + np.exp(-(W2 @ A1 + b2)))
        inside = np.clip(Y_hat, EPSILON, 1 - EPSILON)
        _loss = -np.mean(Y * np.log(inside) + (1 - Y) * np.log(1 - inside))
        dZ2 = ((1 - Y) / (1 - inside) - Y / inside) * Y_hat * (1 - Y_hat)
        dW2, db2 = dZ2 @ A1.T / samples, dZ2.mean(axis=1, keepdims=True)
        dZ1 = W2.T @ dZ2 * (Z1 > 0)
        dW1, db1 = dZ1 @ X.T / samples, dZ1.mean(axis=1, keepdims=True)
        W1, b1, W2, b2 = W1 - rate * dW1, b1 - rate * db1, W2 - rate * dW2, b2 - rate * db2
    return _flat((W1, b1, W2, b2))


def hand_over(parameters: Sequence[Matrix], *_: Any) -> Matrix:
    """Return an array of the result's size without computing anything."""
    return _flat(parameters)


def copies(parameters: Sequence[Matrix], X: Matrix, Y: Matrix, *_: Any) -> Matrix:
    """Return such an array after the plain copies of a training on a GPU: all numbers there, the parameters back."""
    from numba import cuda  # noqa: PLC0415 - loads a driver, which the training above has no use for

    cuda.to_device(X)
    cuda.to_device(Y)
    return _flat([cuda.to_device(part).copy_to_host() for part in parameters])


def _flat(parts: Sequence[Matrix]) -> Matrix:
    return np.concatenate([part.ravel() for part in parts])
