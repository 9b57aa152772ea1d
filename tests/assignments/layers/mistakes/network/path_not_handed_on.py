"""Layers are not told which path to take.

failed: network.order
"""


class FFN:
    def forward(self, X, cpu_only=False):
        for layer in self.layers:
            X = layer.forward(X)
        return X
