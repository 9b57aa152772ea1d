"""The losses are forgotten.

failed: network.accuracy
skipped: network.speedup
"""


class FFN:
    def train(self, dataset, learning_rate, epochs, cpu_only=False):
        losses = []
        for _ in range(epochs):
            total = 0.0
            for X, Y in dataset.batches:
                predictions = self.forward(X, cpu_only)
                total += cross_entropy(predictions, Y)
                self.backward(cross_entropy_gradient(predictions, Y, cpu_only), cpu_only)
                for layer in self.layers:
                    layer.update(learning_rate, cpu_only)
            losses.append(total / len(dataset.batches))
        return None
