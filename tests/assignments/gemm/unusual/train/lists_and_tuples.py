"""Parameters come back as a tuple, curves as a list of tuples, and lambda as a number of NumPy.
"""


def train(samples, validation, hidden, lam, learning_rate, batch_size, epochs, seed):
    rng = np.random.default_rng(seed)
    X, Y = samples
    parameters = [cuda.to_device(one) for one in draw_parameters(X.shape[0], hidden, Y.shape[0], seed)]
    learnt, unseen = ([cuda.to_device(one) for one in pair] for pair in (samples, validation))
    curves = []
    for _ in range(epochs):
        order = rng.permutation(X.shape[1])
        for start in range(0, X.shape[1], batch_size):
            batch = order[start : start + batch_size]
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
