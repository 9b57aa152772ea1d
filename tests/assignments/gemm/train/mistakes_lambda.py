"""Mistakes in the choice of lambda.

failed: train.lambda
"""

# %% lambda_by_place
"""The place in the grid comes back instead of lambda."""
def choose_lambda(grid, samples, validation, hidden, learning_rate, batch_size, epochs, seed):
    settings = learning_rate, batch_size, epochs, seed
    ends = [train(samples, validation, hidden, lam, *settings)[1][-1, 1] for lam in grid]
    return int(np.argmin(ends))

# %% lambda_by_training
"""Lambda is chosen by the training samples."""
def choose_lambda(grid, samples, validation, hidden, learning_rate, batch_size, epochs, seed):
    settings = learning_rate, batch_size, epochs, seed
    ends = [train(samples, validation, hidden, lam, *settings)[1][-1, 0] for lam in grid]
    return grid[int(np.argmin(ends))]

# %% lambda_is_the_largest
"""The largest loss wins."""
def choose_lambda(grid, samples, validation, hidden, learning_rate, batch_size, epochs, seed):
    settings = learning_rate, batch_size, epochs, seed
    ends = [train(samples, validation, hidden, lam, *settings)[1][-1, 1] for lam in grid]
    return grid[int(np.argmax(ends))]

# %% lambda_of_the_best_epoch
"""The lowest loss of all epochs counts, though the parameters are those of the last one."""
def choose_lambda(grid, samples, validation, hidden, *settings):
    lowest = [train(samples, validation, hidden, lam, *settings)[1][:, 1].min() for lam in grid]
    return grid[int(np.argmin(lowest))]

# %% seed_is_ignored
"""Each training begins with other parameters."""
def train(samples, validation, hidden, lam, learning_rate, batch_size, epochs, seed):
    rng = np.random.default_rng()
    X, Y = samples
    parameters = [cuda.to_device(one) for one in draw_parameters(X.shape[0], hidden, Y.shape[0], seed)]
    learnt, unseen = ([cuda.to_device(one) for one in pair] for pair in (samples, validation))
    curves = np.zeros((epochs, 2))
    for epoch in range(epochs):
        order = rng.permutation(X.shape[1])
        for start in range(0, X.shape[1], batch_size):
            batch = order[start : start + batch_size]
            X_batch, Y_batch = cuda.to_device(X[:, batch].copy()), cuda.to_device(Y[:, batch].copy())
            update(parameters, gradients(*parameters, X_batch, Y_batch, lam), learning_rate)
        curves[epoch] = cross_entropy(parameters, *learnt), cross_entropy(parameters, *unseen)
    return [one.copy_to_host() for one in parameters], curves
