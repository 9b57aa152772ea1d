"""Lambda is chosen by the training samples.

failed: train.lambda
"""


def choose_lambda(grid, samples, validation, hidden, learning_rate, batch_size, epochs, seed):
    ends = []
    for lam in grid:
        _, curves = train(samples, validation, hidden, lam, learning_rate, batch_size, epochs, seed)
        ends.append(curves[-1, 0])
    return grid[int(np.argmin(ends))]
