"""`network.py` written in unusual ways, and right."""

# %% add_collects_parameters
"""`FFN.add` keeps a list of W and b of each Linear layer."""
from layers import Linear
class FFN:
    def __init__(self):
        self.layers = []
        self.weights = []  # of all layers, to print how many there are

    def add(self, layer):
        self.layers.append(layer)
        if isinstance(layer, Linear):
            self.weights += [layer.W, layer.b]

# %% layers_have_a_type
"""What `layers.py` of this name needs here.

belongs: layers
"""
class FFN:
    def forward(self, X, cpu_only=False):
        self.types = [layer.type for layer in self.layers]
        for layer in self.layers:
            X = layer.forward(X, cpu_only)
        return X

    def train(self, dataset, learning_rate, epochs, cpu_only=False):
        losses = []
        for _ in range(epochs):
            total = 0.0
            for X, Y in dataset.batches:
                predictions = self.forward(X, cpu_only)  # (1, m)
                total += cross_entropy(predictions, Y)
                self.backward(cross_entropy_gradient(predictions, Y, cpu_only), cpu_only)
                for layer in self.layers:
                    if layer.type == "linear":  # only these have parameters
                        layer.update(learning_rate, cpu_only)
            losses.append(total / len(dataset.batches))
        return losses

# %% layers_in_a_tuple
"""A new tuple for each layer, and keyword arguments everywhere."""
class FFN:
    def __init__(self):
        self.parts = ()

    def add(self, layer):
        self.parts = (*self.parts, layer)
        return self

    def forward(self, X, cpu_only=False):
        for part in self.parts:
            X = part.forward(X, cpu_only=cpu_only)
        return X

    def backward(self, dY, cpu_only=False):
        for part in self.parts[::-1]:
            dY = part.backward(dY, cpu_only=cpu_only)
        return dY

    def train(self, dataset, learning_rate, epochs, cpu_only=False):
        history = []
        for epoch in range(epochs):
            losses = []
            for X, Y in dataset.batches:
                out = self.forward(X, cpu_only=cpu_only)
                losses.append(cross_entropy(out, Y))
                self.backward(cross_entropy_gradient(out, Y, cpu_only=cpu_only), cpu_only=cpu_only)
                for part in self.parts:
                    part.update(learning_rate, cpu_only=cpu_only)
            history.append(sum(losses) / len(losses))
            print(f"epoch {epoch}: {history[-1]:.4f}")
        return history

# %% loops_by_index
"""Layers are counted, and `train` goes through them itself."""
class FFN:
    def forward(self, X, cpu_only=False):
        for index in range(len(self.layers)):
            X = self.layers[index].forward(X, cpu_only=cpu_only)
        return X

    def backward(self, dY, cpu_only=False):
        for index in range(len(self.layers) - 1, -1, -1):
            dY = self.layers[index].backward(dY, cpu_only=cpu_only)
        return dY

# %% train_uses_dataset_samples
"""Dataset has a field `samples`, and `train` divides the sum of an epoch by it."""
class FFN:
    def train(self, dataset, learning_rate, epochs, cpu_only=False):
        losses = []
        for _ in range(epochs):
            total = 0.0
            for X, Y in dataset.batches:
                predictions = self.forward(X, cpu_only)  # (1, m)
                total += cross_entropy(predictions, Y) * Y.shape[1]
                self.backward(cross_entropy_gradient(predictions, Y, cpu_only), cpu_only)
                for layer in self.layers:
                    layer.update(learning_rate, cpu_only)
            losses.append(total / dataset.samples)
        return losses
