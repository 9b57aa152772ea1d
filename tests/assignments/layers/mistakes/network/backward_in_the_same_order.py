"""Derivatives go through the layers from the first to the last.

failed: network.order
"""


class FFN:
    def backward(self, dY, cpu_only=False):
        for layer in self.layers:
            dY = layer.backward(dY, cpu_only)
        return dY
