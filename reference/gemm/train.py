"""Training of the network by mini-batches, the choice of lambda, and what the curves of a training say."""

import numpy as np
from mlp import forward, gradients, loss, update
from numba import cuda

OVERFITTED = 1.5  # validation so many times as large as training: the network knows its samples by heart
HARDLY_LEARNT = 1.0  # a network that knows nothing has log 10 = 2.3


def draw_parameters(inputs, hidden, classes, seed):
    """Return W1, b1, W2, b2: weights uniform in ±1/√inputs of their layer, biases zero."""
    rng = np.random.default_rng(seed)
    return [
        rng.uniform(-1, 1, (hidden, inputs)) / np.sqrt(inputs),
        np.zeros((hidden, 1)),
        rng.uniform(-1, 1, (classes, hidden)) / np.sqrt(hidden),
        np.zeros((classes, 1)),
    ]


def cross_entropy(parameters, X, Y):
    """Return the mean cross-entropy of samples, without regularisation."""
    _, P = forward(*parameters, X)
    return loss(parameters, P, Y, 0.0)


def train(samples, validation, hidden, lam, learning_rate, batch_size, epochs, seed):
    """Return the parameters after so many epochs, and the curves.

    Args:
        samples: what is learnt, X (inputs, m) and its labels Y, one-hot, (classes, m).
        validation: the same of samples that only the curves see.
        hidden: width of the hidden layer.
        lam: how much large parameters cost.
        learning_rate: of each step.
        batch_size: samples of each step; the last batch takes the rest.
        epochs: passes over all samples, each in a new order.
        seed: of the first parameters and of the orders.

    Returns:
        [W1, b1, W2, b2], and an array (epochs, 2): the cross-entropy of training and validation after each epoch.
    """
    rng = np.random.default_rng(seed)
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


def choose_lambda(grid, samples, validation, hidden, learning_rate, batch_size, epochs, seed):
    """Return the lambda of the grid whose training ends with the lowest cross-entropy of the validation samples."""
    ends = []
    for lam in grid:
        _, curves = train(samples, validation, hidden, lam, learning_rate, batch_size, epochs, seed)
        ends.append(curves[-1, 1])
    return grid[int(np.argmin(ends))]


def diagnose(curves):
    """Return what the curves of a training say about lambda: "larger", "smaller" or "keep".

    Where validation ends far above training, the network knows its samples by heart: overfitting, and lambda should be
    larger. Where even training ends high, it hardly learns: too much regularisation, and lambda should be smaller.
    """
    training, validation = curves[-1]
    if validation > OVERFITTED * training:
        return "larger"
    return "smaller" if training > HARDLY_LEARNT else "keep"
