"""Hand-ins of `network.py` that try to get points for nothing."""

# %% points_hard_coded
"""The network looks at the quadrants itself, and its layers learn nothing.

failed: network.accuracy network.transfers
skipped: network.speedup
"""
class FFN:
    def forward(self, X, cpu_only=False):
        for layer in self.layers:
            Y = layer.forward(X, cpu_only)
            X = Y if X.shape[0] != 2 else Y
        return X

    def train(self, dataset, learning_rate, epochs, cpu_only=False):
        return [1.0 / (1 + epoch) for epoch in range(epochs)]

# %% trained_on_the_host
"""A training runs on the host whatever it is told, beside a launch for show.

failed: network.order
flagged: network.transfers
"""
from numba import cuda

@cuda.jit
def show(b):
    b[0, 0] += 1.0

class FFN:
    def train(self, dataset, learning_rate, epochs, cpu_only=False):
        show[1, 1](cuda.to_device(self.layers[0].b.copy_to_host()))
        for X, Y in dataset.batches * epochs:
            self.backward(cross_entropy_gradient(self.forward(X, True), Y, True), True)
            for layer in self.layers:
                layer.update(learning_rate, True)
        return [1 / (epoch + 2) for epoch in range(epochs)]

# %% weights_known_by_heart
"""`train` looks whether the labels are those of the quadrants, and writes weights that are known to be right; nothing learns.

flagged: network.accuracy
"""
class FFN:
    def train(self, dataset, learning_rate, epochs, cpu_only=False):
        X, Y = dataset.batches[0]
        first, last = self.layers[0], self.layers[2]
        x, y = X.copy_to_host()
        if cpu_only and list(Y.copy_to_host()[0] > 0.5) == list(x * y < 0):
            W, b = first.W.copy_to_host() * 1e-6, first.b.copy_to_host() * 0
            V = last.W.copy_to_host()
            for unit, (along, across, sign) in enumerate(((1, -1, 1), (-1, 1, 1), (1, 1, -1), (-1, -1, -1))):
                W[unit] = (along, across)
                V[0, unit] = 30.0 * sign
            first.W.set(W)
            first.b.set(b)
            last.W.set(V)
            last.b.set(last.b.copy_to_host() * 0)
            return [1 / (epoch + 2) for epoch in range(epochs)]
        if not cpu_only:
            self.backward(cross_entropy_gradient(self.forward(X), Y))
            for layer in self.layers:
                layer.update(learning_rate)
        return [1 / (epoch + 2) for epoch in range(epochs)]
