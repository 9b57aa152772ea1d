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

# %% path_not_handed_on
"""Layers are not told which path to take."""
class FFN:
    def forward(self, X, cpu_only=False):
        for layer in self.layers:
            X = layer.forward(X)
        return X
