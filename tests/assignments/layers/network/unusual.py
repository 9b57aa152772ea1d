"""`network.py` written in unusual ways, and right."""

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
