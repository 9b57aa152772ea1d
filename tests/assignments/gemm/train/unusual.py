"""`train.py` written in unusual ways, and right."""

# %% a_class_trains
"""A class trains, draws all orders before, and prints how it goes."""
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

# %% generator_of_batches
"""Batches come from a generator of Python, curves grow as a list, and what NumPy draws has its options named."""
def batches(rng, m, size):
    order = np.arange(m)
    rng.shuffle(order)
    yield from (order[k:k + size] for k in range(0, m, size))

def draw_parameters(inputs, hidden, classes, seed):
    rng = np.random.default_rng(seed=seed)
    a, b = inputs ** -0.5, hidden ** -0.5
    return [
        rng.uniform(low=-a, high=a, size=(hidden, inputs)),
        np.zeros(shape=(hidden, 1)),
        rng.uniform(low=-b, high=b, size=(classes, hidden)),
        np.zeros(shape=(classes, 1)),
    ]

def train(samples, validation, hidden, lam, learning_rate, batch_size, epochs, seed):
    rng = np.random.default_rng(seed=seed + 1)
    X, Y = samples
    parameters = [cuda.to_device(p) for p in draw_parameters(X.shape[0], hidden, Y.shape[0], seed)]
    on_device = [tuple(map(cuda.to_device, pair)) for pair in (samples, validation)]
    curves = []
    for epoch in range(epochs):
        for batch in batches(rng, X.shape[1], batch_size):
            x, y = (cuda.to_device(np.ascontiguousarray(part[:, batch])) for part in (X, Y))
            update(parameters, gradients(*parameters, x, y, lam), learning_rate)
        curves.append([cross_entropy(parameters, *pair) for pair in on_device])
        print(f"epoch {epoch + 1}/{epochs}: {curves[-1][0]:.3f} {curves[-1][1]:.3f}")
    return [p.copy_to_host() for p in parameters], np.array(curves).reshape(epochs, 2)

def choose_lambda(grid, samples, validation, hidden, learning_rate, batch_size, epochs, seed):
    def end(lam):
        return train(samples, validation, hidden, lam, learning_rate, batch_size, epochs, seed)[1][-1][1]

    return min(grid, key=end)

# %% lists_and_tuples
"""A tuple of parameters, a list of curves and batches, a lambda of NumPy, and numbers from the older generator."""
def train(samples, validation, hidden, lam, learning_rate, batch_size, epochs, seed):
    rng = np.random.RandomState(seed)
    X, Y = samples
    parameters = [cuda.to_device(one) for one in draw_parameters(X.shape[0], hidden, Y.shape[0], seed)]
    learnt, unseen = ([cuda.to_device(one) for one in pair] for pair in (samples, validation))
    curves = []
    for _ in range(epochs):
        order = rng.permutation(X.shape[1])
        for batch in [order[start : start + batch_size] for start in range(0, X.shape[1], batch_size)]:
            X_batch, Y_batch = cuda.to_device(X[:, batch].copy()), cuda.to_device(Y[:, batch].copy())
            update(parameters, gradients(*parameters, X_batch, Y_batch, lam), learning_rate)
        curves.append((cross_entropy(parameters, *learnt), cross_entropy(parameters, *unseen)))
    return tuple(one.copy_to_host() for one in parameters), curves

def choose_lambda(grid, samples, validation, hidden, learning_rate, batch_size, epochs, seed):
    ends = {
        lam: train(samples, validation, hidden, lam, learning_rate, batch_size, epochs, seed)[1][-1][1]
        for lam in np.asarray(grid)
    }
    return min(ends, key=ends.get)

def diagnose(curves):
    training, validation = curves[-1][0], curves[-1][1]
    return str(np.where(validation > 1.5 * training, "larger", np.where(training > 1.0, "smaller", "keep")))

# %% parameters_are_unpacked
"""Whoever chooses lambda unpacks the parameters that a training returns."""
def choose_lambda(grid, samples, validation, hidden, learning_rate, batch_size, epochs, seed):
    best, best_end = None, np.inf
    for lam in grid:
        (W1, b1, W2, b2), curves = train(samples, validation, hidden, lam, learning_rate, batch_size, epochs, seed)
        size = sum(float((one**2).sum()) for one in (W1, b1, W2, b2))
        print(f"lambda {lam}: squares of {W1.shape} and {W2.shape} add up to {size}")
        if curves[-1, 1] < best_end:
            best, best_end = lam, curves[-1, 1]
    return best
