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
