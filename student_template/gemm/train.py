"""Training of the network, and the choice of lambda. Yours to fill in; README.md says what each function returns."""

import numpy as np  # noqa: F401 (for your trainings)
from mlp import forward, gradients, loss, update  # noqa: F401 (the same)


def train(samples, validation, hidden, lam, learning_rate, batch_size, epochs, seed):
    """Return the parameters [W1, b1, W2, b2] and the curves, shape (epochs, 2)."""
    raise NotImplementedError("train.py: fill in train")


def choose_lambda(grid, samples, validation, hidden, learning_rate, batch_size, epochs, seed):
    """Return the lambda of the grid that is best for the validation samples."""
    raise NotImplementedError("train.py: fill in choose_lambda")


def diagnose(curves):
    """Return "larger", "smaller" or "keep": what should become of lambda."""
    raise NotImplementedError("train.py: fill in diagnose")
