"""A feed-forward network and its training. Yours to fill in."""

from losses import cross_entropy, cross_entropy_gradient  # noqa: F401 (for your FFN.train)


class FFN:
    """Layers, one after the other."""

    def __init__(self):
        raise NotImplementedError("network.py: fill in FFN.__init__: no layers yet")

    def add(self, layer):
        """Put a layer behind the last one."""
        raise NotImplementedError("network.py: fill in FFN.add")

    def forward(self, X, cpu_only=False):
        """Send samples through all layers; return what the last one makes of them."""
        raise NotImplementedError("network.py: fill in FFN.forward")

    def backward(self, dY, cpu_only=False):
        """Send the derivative of the loss back through all layers; return what the first one makes of it."""
        raise NotImplementedError("network.py: fill in FFN.backward")

    def train(self, dataset, learning_rate, epochs, cpu_only=False):
        """Take a step for each batch, in each epoch; return the mean loss of each epoch, a list."""
        raise NotImplementedError("network.py: fill in FFN.train")
