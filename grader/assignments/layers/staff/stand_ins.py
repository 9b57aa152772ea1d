"""Parts of the network that stand in for those of a submission that were found wrong: one mistake costs one check.

Only with NumPy, on either path: formulas as the sheet has them. Each is a kind of the submission's own class, so that a
network that asks for the kind of its layers finds it, and takes its arguments by position and by name.
"""

# ruff: noqa: ARG001, ARG002 - networks hand `cpu_only` on by this name
import layers
import network
import numpy as np
from matrices import as_matrix

EPSILON = 1e-12


class Linear(layers.Linear):
    """Z = W A + b."""

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
        held = dZ.copy_to_host()
        self.dW.set(held @ self.A.T / held.shape[1])
        self.db.set(held.mean(axis=1, keepdims=True))
        return as_matrix(self.W.copy_to_host().T @ held)

    def update(self, learning_rate, cpu_only=False):
        """Take a step."""
        self.W.set(self.W.copy_to_host() - learning_rate * self.dW.copy_to_host())
        self.b.set(self.b.copy_to_host() - learning_rate * self.db.copy_to_host())


class ReLU(layers.ReLU):
    """max(0, Z)."""

    def __init__(self):
        self.Z = None

    def forward(self, Z, cpu_only=False):
        """Return A."""
        self.Z = Z.copy_to_host()
        return as_matrix(np.maximum(self.Z, 0))

    def backward(self, dA, cpu_only=False):
        """Return dZ."""
        return as_matrix(dA.copy_to_host() * (self.Z > 0))

    def update(self, learning_rate, cpu_only=False):
        """Do nothing."""


class Sigmoid(layers.Sigmoid):
    """1 / (1 + e^-Z)."""

    def __init__(self):
        self.A = None

    def forward(self, Z, cpu_only=False):
        """Return A."""
        self.A = 1 / (1 + np.exp(-np.clip(Z.copy_to_host(), -700, 700)))
        return as_matrix(self.A)

    def backward(self, dA, cpu_only=False):
        """Return dZ."""
        return as_matrix(dA.copy_to_host() * self.A * (1 - self.A))

    def update(self, learning_rate, cpu_only=False):
        """Do nothing."""


def cross_entropy(predictions, labels):
    """Return the loss."""
    y_hat, y = np.clip(predictions.copy_to_host(), EPSILON, 1 - EPSILON), labels.copy_to_host()
    return float(-np.mean(y * np.log(y_hat) + (1 - y) * np.log(1 - y_hat)))


def cross_entropy_gradient(predictions, labels, cpu_only=False):
    """Return its derivative."""
    y_hat, y = np.clip(predictions.copy_to_host(), EPSILON, 1 - EPSILON), labels.copy_to_host()
    return as_matrix(-y / y_hat + (1 - y) / (1 - y_hat))


class FFN(network.FFN):
    """Layers in their order; the training is the submission's."""

    def __init__(self):
        super().__init__()
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
    "FFN": FFN,
    "Linear": Linear,
    "ReLU": ReLU,
    "Sigmoid": Sigmoid,
    "cross_entropy": cross_entropy,
    "cross_entropy_gradient": cross_entropy_gradient,
}
