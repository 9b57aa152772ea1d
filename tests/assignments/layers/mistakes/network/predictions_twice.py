"""Each batch goes through the network twice, and its predictions come back twice.

failed: network.transfers
"""


class FFN:
    def train(self, dataset, learning_rate, epochs, cpu_only=False):
        losses = []
        for _ in range(epochs):
            total = 0.0
            for X, Y in dataset.batches:
                total += cross_entropy(self.forward(X, cpu_only), Y)
                predictions = self.forward(X, cpu_only)
                predictions.copy_to_host()
                self.backward(cross_entropy_gradient(predictions, Y, cpu_only), cpu_only)
                for layer in self.layers:
                    layer.update(learning_rate, cpu_only)
            losses.append(total / len(dataset.batches))
        return losses
