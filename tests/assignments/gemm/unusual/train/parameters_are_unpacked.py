"""Whoever chooses lambda unpacks the parameters that a training returns.
"""


def choose_lambda(grid, samples, validation, hidden, learning_rate, batch_size, epochs, seed):
    best, best_end = None, np.inf
    for lam in grid:
        (W1, b1, W2, b2), curves = train(samples, validation, hidden, lam, learning_rate, batch_size, epochs, seed)
        size = sum(float((one**2).sum()) for one in (W1, b1, W2, b2))
        print(f"lambda {lam}: squares of {W1.shape} and {W2.shape} add up to {size}")
        if curves[-1, 1] < best_end:
            best, best_end = lam, curves[-1, 1]
    return best
