"""A feed-forward network: layers in a row, and their training by gradient descent."""

from losses import cross_entropy, cross_entropy_gradient


class FFN:
    """Layers, one after the other."""

    def __init__(self):
        self.layers = []

    def add(self, layer):
        """Put a layer behind the last one."""
        self.layers.append(layer)

    def forward(self, X, cpu_only=False):
        """Send samples through all layers, first to last; return the output of the last one."""
        for layer in self.layers:
            X = layer.forward(X, cpu_only)
        return X

    def backward(self, dY, cpu_only=False):
        """Send the derivative of the loss back, last layer to first; return the derivative from the first one."""
        for layer in reversed(self.layers):
            dY = layer.backward(dY, cpu_only)
        return dY

    def train(self, dataset, learning_rate, epochs, cpu_only=False):
        """Take one step for each batch, in `epochs` passes over the data; return the mean loss of each pass."""
        losses = []
        for _ in range(epochs):
            total = 0.0
            for X, Y in dataset.batches:
                predictions = self.forward(X, cpu_only)  # (1, m)
                total += cross_entropy(predictions, Y)
                self.backward(cross_entropy_gradient(predictions, Y, cpu_only), cpu_only)
                for layer in self.layers:
                    layer.update(learning_rate, cpu_only)
            losses.append(total / len(dataset.batches))
        return losses
