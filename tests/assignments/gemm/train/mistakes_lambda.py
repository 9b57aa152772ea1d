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

# %% lambda_is_zero
"""Every training leaves out what lambda costs."""
with_decay = gradients

def gradients(W1, b1, W2, b2, X, Y, lam):
    return with_decay(W1, b1, W2, b2, X, Y, 0.0)

# %% seed_is_ignored
"""Each training begins with other parameters."""
def draw_parameters(inputs, hidden, classes, seed):
    rng = np.random.default_rng()
    W1, W2 = rng.uniform(-1, 1, (hidden, inputs)), rng.uniform(-1, 1, (classes, hidden))
    return [W1 / np.sqrt(inputs), np.zeros((hidden, 1)), W2 / np.sqrt(hidden), np.zeros((classes, 1))]
