"""Layers, derivatives and steps in a wrong order.

failed: network.order
"""

# %% backward_in_the_same_order
"""Derivatives go through the layers from the first to the last."""
class FFN:
    def backward(self, dY, cpu_only=False):
        for layer in self.layers:
            dY = layer.backward(dY, cpu_only)
        return dY

# %% last_layer_forgotten
"""The last layer is left out."""
class FFN:
    def forward(self, X, cpu_only=False):
        for layer in self.layers[:-1]:
            X = layer.forward(X, cpu_only)
        return X

# %% layers_are_shared
"""All networks have the same list of layers."""
class FFN:
    layers = []

    def __init__(self):
        pass

# %% layers_reversed_for_good
"""On the way back, the list of layers itself is reversed: the next batch goes through it from the last to the first."""
class FFN:
    def backward(self, dY, cpu_only=False):
        self.layers.reverse()
        for layer in self.layers:
            dY = layer.backward(dY, cpu_only)
        return dY

# %% path_not_handed_on
"""Layers are not told which path to take."""
class FFN:
    def forward(self, X, cpu_only=False):
        for layer in self.layers:
            X = layer.forward(X)
        return X

# %% steps_before_the_derivatives
"""Each step is taken before the derivatives of its batch are there: it goes by those of the batch before."""
class FFN:
    def train(self, dataset, learning_rate, epochs, cpu_only=False):
        losses = []
        for _ in range(epochs):
            losses.append(0.0)
            for X, Y in dataset.batches:
                predictions = self.forward(X, cpu_only)
                losses[-1] += cross_entropy(predictions, Y) / len(dataset.batches)
                for layer in self.layers:
                    layer.update(learning_rate, cpu_only)
                self.backward(cross_entropy_gradient(predictions, Y, cpu_only), cpu_only)
        return losses

# %% train_forgets_the_path
"""A training with cpu_only=True goes forward on the GPU."""
class FFN:
    def train(self, dataset, learning_rate, epochs, cpu_only=False):
        losses = []
        for _ in range(epochs):
            total = 0.0
            for X, Y in dataset.batches:
                predictions = self.forward(X)
                total += cross_entropy(predictions, Y)
                self.backward(cross_entropy_gradient(predictions, Y, cpu_only), cpu_only)
                for layer in self.layers:
                    layer.update(learning_rate, cpu_only)
            losses.append(total / len(dataset.batches))
        return losses
