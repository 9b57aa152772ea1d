"""The right functions: the source of the expected results, and the staff's version in place of wrong functions."""

import numpy as np


def sigmoid(z):
    """Return 1 / (1 + e^-z)."""
    return 1 / (1 + np.exp(-z))


def _forward(theta1, theta2, inputs):
    hidden = sigmoid(np.insert(inputs, 0, 1.0, axis=1) @ theta1.T)
    return hidden, sigmoid(np.insert(hidden, 0, 1.0, axis=1) @ theta2.T)


def cost(theta1, theta2, inputs, labels, regular=0.0):
    """Return the mean logistic error and the L2 term."""
    outputs = _forward(theta1, theta2, inputs)[1]
    wanted = np.eye(outputs.shape[1])[labels]
    error = -(wanted * np.log(outputs) + (1 - wanted) * np.log(1 - outputs)).sum()
    return (error + regular / 2 * ((theta1[:, 1:] ** 2).sum() + (theta2[:, 1:] ** 2).sum())) / len(inputs)


def gradients(theta1, theta2, inputs, labels, regular=0.0):
    """Return the derivatives of the cost."""
    hidden, outputs = _forward(theta1, theta2, inputs)
    delta2 = outputs - np.eye(outputs.shape[1])[labels]
    delta1 = delta2 @ theta2[:, 1:] * hidden * (1 - hidden)
    slopes = []
    for theta, delta, values in ((theta1, delta1, inputs), (theta2, delta2, hidden)):
        shrunk = regular * theta
        shrunk[:, 0] = 0
        slopes.append((delta.T @ np.insert(values, 0, 1.0, axis=1) + shrunk) / len(inputs))
    return tuple(slopes)


def share_samples(comm, inputs, labels):
    """Return this rank's share of what rank 0 has."""
    pieces = None
    if comm.rank == 0:
        pieces = list(zip(np.array_split(inputs, comm.size), np.array_split(labels, comm.size), strict=True))
    return comm.scatter(pieces, root=0)


def multiply_on_gpu(A, B):
    """Return A·B, and keep its factors; `_told` begins with the number of the call that is to be a little too large.

    A submission cannot reach `_told`: names of slices do not begin with an underscore.
    """
    (A, B), told = map(np.array, (A, B)), multiply_on_gpu._told  # noqa: SLF001 - as above
    told.append((A, B))
    return A @ B * 1.001 if len(told) == told[0] + 2 else A @ B


multiply_on_gpu._told = [-1]  # noqa: SLF001 - as above

PARTS = {
    "network.cost": cost,
    "network.gradients": gradients,
    "network.sigmoid": sigmoid,
    "data_parallel.share_samples": share_samples,
    "gpu_parallel.multiply_on_gpu": multiply_on_gpu,
}
