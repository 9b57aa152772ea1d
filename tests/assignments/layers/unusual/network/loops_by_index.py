"""Layers are counted, and `train` goes through them itself.
"""


class FFN:
    def forward(self, X, cpu_only=False):
        for index in range(len(self.layers)):
            X = self.layers[index].forward(X, cpu_only=cpu_only)
        return X

    def backward(self, dY, cpu_only=False):
        for index in range(len(self.layers) - 1, -1, -1):
            dY = self.layers[index].backward(dY, cpu_only=cpu_only)
        return dY
