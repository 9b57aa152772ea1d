"""The right parts of the homework: they replace a submission's parts that were found wrong.

Layers and losses need NumPy only, on either path: formulas as the sheet has them. `grader.worker.substitutes` makes
each class a kind of the submission's own.
"""

# ruff: noqa: ARG001, ARG002 - networks hand `cpu_only` on by this name
import importlib

import numpy as np
from matrices import as_matrix

EPSILON = 1e-12


class Matrix:
    """A Matrix as the sheet describes it; its arrays keep their labels."""

    shape = host = device = newest = None  # hide members of the submission's class with these names

    def __init__(self, rows, columns):
        self.shape = (rows, columns)
        self.host, self.device, self.newest = np.zeros(self.shape), None, "host"

    def set(self, values):
        """Take new numbers; return this matrix, as some submissions go on with it."""
        values = np.asanyarray(values)
        if values.shape != self.shape:
            raise ValueError(f"this matrix has the shape {self.shape}, the values have {values.shape}")
        self.host, self.newest = values.astype(np.float64), "host"
        return self

    def allocate(self):
        """Return the device's memory."""
        if self.device is None:
            self.device = _new(self.shape)
        self.newest = "device"
        return self.device

    def copy_to_device(self):
        """Return the newest numbers there."""
        if self.newest == "host":
            self.device = _new(self.shape)
            self.device.copy_to_device(np.ascontiguousarray(self.host))
            self.newest = "both"
        return self.device

    def copy_to_host(self):
        """Return the newest numbers here."""
        if self.newest == "device":
            self.host, self.newest = self.device.copy_to_host(), "both"
        return self.host


def _new(shape):
    """Return memory of the device, from the `numba.cuda` that the submission's own import has loaded."""
    return importlib.import_module("numba.cuda").device_array(shape, np.float64)


class Linear:
    """Z = W A + b."""

    W = b = dW = db = A = None  # noqa: N815 - as on the sheet

    def __init__(self, inputs, outputs, seed=0):
        bound = 1 / np.sqrt(inputs)
        self.W = as_matrix(np.random.default_rng(seed).uniform(-bound, bound, (outputs, inputs)))
        self.b = as_matrix(np.zeros((outputs, 1)))
        self.dW, self.db = as_matrix(np.zeros((outputs, inputs))), as_matrix(np.zeros((outputs, 1)))

    def forward(self, A, cpu_only=False):
        """Return Z."""
        self.A = A.copy_to_host()
        return as_matrix(self.W.copy_to_host() @ self.A + self.b.copy_to_host())

    def backward(self, dZ, cpu_only=False):
        """Return dA; keep dW and db."""
        slopes = dZ.copy_to_host()
        self.dW.set(slopes @ self.A.T / slopes.shape[1])
        self.db.set(slopes.mean(axis=1, keepdims=True))
        return as_matrix(self.W.copy_to_host().T @ slopes)

    def update(self, learning_rate, cpu_only=False):
        """Take a step."""
        self.W.set(self.W.copy_to_host() - learning_rate * self.dW.copy_to_host())
        self.b.set(self.b.copy_to_host() - learning_rate * self.db.copy_to_host())


class ReLU:
    """max(0, Z)."""

    Z = None

    def forward(self, Z, cpu_only=False):
        """Return A."""
        self.Z = Z.copy_to_host()
        return as_matrix(np.maximum(self.Z, 0))

    def backward(self, dA, cpu_only=False):
        """Return dZ."""
        return as_matrix(dA.copy_to_host() * (self.Z > 0))

    def update(self, learning_rate, cpu_only=False):
        """Do nothing."""


class Sigmoid:
    """1 / (1 + e^-Z)."""

    A = None

    def forward(self, Z, cpu_only=False):
        """Return A."""
        self.A = 1 / (1 + np.exp(-np.clip(Z.copy_to_host(), -700, 700)))
        return as_matrix(self.A)

    def backward(self, dA, cpu_only=False):
        """Return dZ."""
        return as_matrix(dA.copy_to_host() * self.A * (1 - self.A))

    def update(self, learning_rate, cpu_only=False):
        """Do nothing."""


def _clip(predictions):
    """Return predictions that keep away from 0 and 1, as float64: in float32, 1 - EPSILON is 1."""
    return np.clip(np.asarray(predictions.copy_to_host(), float), EPSILON, 1 - EPSILON)


def cross_entropy(predictions, labels):
    """Return the loss."""
    y_hat, y = _clip(predictions), labels.copy_to_host()
    return float(-np.mean(y * np.log(y_hat) + (1 - y) * np.log(1 - y_hat)))


def cross_entropy_gradient(predictions, labels, cpu_only=False):
    """Return its derivative."""
    y_hat, y = _clip(predictions), labels.copy_to_host()
    return as_matrix(-y / y_hat + (1 - y) / (1 - y_hat))


class FFN:
    """Layers in their order; the training is the submission's."""

    in_order = ()

    def __init__(self):
        self.in_order = []

    def add(self, layer):
        """Put a layer behind the last one."""
        super().add(layer)
        self.in_order.append(layer)

    def forward(self, X, cpu_only=False):
        """Send samples through."""
        for layer in self.in_order:
            X = layer.forward(X, cpu_only)
        return X

    def backward(self, dY, cpu_only=False):
        """Send derivatives back."""
        for layer in reversed(self.in_order):
            dY = layer.backward(dY, cpu_only)
        return dY


PARTS = {
    "matrix.Matrix": Matrix,
    "layers.Linear": Linear,
    "layers.ReLU": ReLU,
    "layers.Sigmoid": Sigmoid,
    "losses.cross_entropy": cross_entropy,
    "losses.cross_entropy_gradient": cross_entropy_gradient,
    "network.FFN": FFN,
}
