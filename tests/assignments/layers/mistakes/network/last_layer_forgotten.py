"""The last layer is left out.

failed: network.order
"""


class FFN:
    def forward(self, X, cpu_only=False):
        for layer in self.layers[:-1]:
            X = layer.forward(X, cpu_only)
        return X
