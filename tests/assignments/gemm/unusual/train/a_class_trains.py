"""A class trains, draws all orders before, and prints how it goes.
"""


class Trainer:
    def __init__(self, samples, validation, hidden, lam, seed, epochs):
        self.X, self.Y = samples
        self.sets = [[cuda.to_device(one) for one in pair] for pair in (samples, validation)]
        shapes = self.X.shape[0], hidden, self.Y.shape[0]
        self.parameters = [cuda.to_device(one) for one in draw_parameters(*shapes, seed)]
        rng = np.random.default_rng(seed + 1)
        self.orders = [rng.permutation(self.X.shape[1]) for _ in range(epochs)]
        self.lam = lam

    def batches(self, epoch, size):
        for start in range(0, self.X.shape[1], size):
            batch = self.orders[epoch][start : start + size]
            yield cuda.to_device(self.X[:, batch].copy()), cuda.to_device(self.Y[:, batch].copy())

    def learn(self, epoch, size, learning_rate):
        for X, Y in self.batches(epoch, size):
            update(self.parameters, gradients(*self.parameters, X, Y, self.lam), learning_rate)
        return [cross_entropy(self.parameters, *pair) for pair in self.sets]


def train(samples, validation, hidden, lam, learning_rate, batch_size, epochs, seed):
    trainer = Trainer(samples, validation, hidden, lam, seed, epochs)
    curves = np.array([trainer.learn(epoch, batch_size, learning_rate) for epoch in range(epochs)]).reshape(epochs, 2)
    print(f"trained with lambda {lam}: {curves[-1] if epochs else 'nothing'}")
    return [one.copy_to_host() for one in trainer.parameters], curves


def choose_lambda(grid, samples, validation, hidden, learning_rate, batch_size, epochs, seed):
    settings = dict(hidden=hidden, learning_rate=learning_rate, batch_size=batch_size, epochs=epochs, seed=seed)
    best, lowest = None, float("inf")
    for lam in sorted(grid):
        parameters, curves = train(samples, validation, lam=lam, **settings)
        if curves[-1, 1] < lowest:
            best, lowest = lam, curves[-1, 1]
    return best
