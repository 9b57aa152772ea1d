"""Mistakes in `network.py`, and what each costs.

failed: network.accuracy
skipped: network.speedup
"""

# %% no_update
"""Nobody takes a step."""
class FFN:
    def train(self, dataset, learning_rate, epochs, cpu_only=False):
        losses = []
        for _ in range(epochs):
            total = 0.0
            for X, Y in dataset.batches:
                predictions = self.forward(X, cpu_only)
                total += cross_entropy(predictions, Y)
                self.backward(cross_entropy_gradient(predictions, Y, cpu_only), cpu_only)
            losses.append(total / len(dataset.batches))
        return losses

# %% one_epoch_only
"""The epochs are not counted."""
class FFN:
    def train(self, dataset, learning_rate, epochs, cpu_only=False):
        losses = []
        for _ in range(1):
            total = 0.0
            for X, Y in dataset.batches:
                predictions = self.forward(X, cpu_only)
                total += cross_entropy(predictions, Y)
                self.backward(cross_entropy_gradient(predictions, Y, cpu_only), cpu_only)
                for layer in self.layers:
                    layer.update(learning_rate, cpu_only)
            losses.append(total / len(dataset.batches))
        return losses

# %% own_matrix_methods_and_stale_copy
"""What `matrix.py` of this name needs here.

belongs: matrix
failed:
skipped:
"""
from functools import reduce

class FFN:
    def __init__(self):
        self.layers = ()

    def add(self, layer):
        self.layers += (layer,)

    def forward(self, X, cpu_only=False):
        return reduce(lambda values, layer: layer.forward(values, cpu_only), self.layers, X)

    def backward(self, dY, cpu_only=False):
        return reduce(lambda slopes, layer: layer.backward(slopes, cpu_only), reversed(self.layers), dY)

# %% predictions_twice
"""Each batch goes through the network twice, and its predictions come back twice.

failed: network.transfers
skipped:
"""
class FFN:
    def train(self, dataset, learning_rate, epochs, cpu_only=False):
        losses = []
        for _ in range(epochs):
            total = 0.0
            for X, Y in dataset.batches:
                total += cross_entropy(self.forward(X, cpu_only), Y)
                predictions = self.forward(X, cpu_only)
                predictions.copy_to_host()
                self.backward(cross_entropy_gradient(predictions, Y, cpu_only), cpu_only)
                for layer in self.layers:
                    layer.update(learning_rate, cpu_only)
            losses.append(total / len(dataset.batches))
        return losses

# %% train_returns_nothing
"""The losses are forgotten."""
class FFN:
    def train(self, dataset, learning_rate, epochs, cpu_only=False):
        for _ in range(epochs):
            for X, Y in dataset.batches:
                predictions = self.forward(X, cpu_only)
                self.backward(cross_entropy_gradient(predictions, Y, cpu_only), cpu_only)
                for layer in self.layers:
                    layer.update(learning_rate, cpu_only)

# %% train_returns_sums
"""`train` returns the sum of the losses of an epoch instead of the mean."""
class FFN:
    def train(self, dataset, learning_rate, epochs, cpu_only=False):
        losses = []
        for _ in range(epochs):
            total = 0.0
            for X, Y in dataset.batches:
                predictions = self.forward(X, cpu_only)  # (1, m)
                total += cross_entropy(predictions, Y)
                self.backward(cross_entropy_gradient(predictions, Y, cpu_only), cpu_only)
                for layer in self.layers:
                    layer.update(learning_rate, cpu_only)
            losses.append(total)
        return losses
