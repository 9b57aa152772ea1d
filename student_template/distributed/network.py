"""Part 1: a network with one hidden layer, trained by one process."""

import numpy as np  # noqa: F401 - you will need it


def random_weights(inputs, outputs):
    """Return a layer's weights, new at each call, uniform within ±0.12: shape (outputs, inputs + 1)."""
    raise NotImplementedError(
        "network.py: fill in random_weights: draw a row for each output, and a column for the bias and for each input"
    )


def cost(theta1, theta2, inputs, labels, regular=0.0):
    """Return the cost of the samples: one number."""
    raise NotImplementedError(
        "network.py: fill in cost: return the mean logistic error of the samples, and the L2 term without the biases"
    )


def gradients(theta1, theta2, inputs, labels, regular=0.0):
    """Return (gradient of theta1, gradient of theta2)."""
    raise NotImplementedError(
        "network.py: fill in gradients: return the derivatives of the cost by theta1 and by theta2"
    )


def gradient_descent(inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    """Return (theta1, theta2, costs, seconds) after the training."""
    raise NotImplementedError(
        "network.py: fill in gradient_descent: make the steps, and return theta1, theta2, the costs and the seconds"
    )


def predict(theta1, theta2, inputs):
    """Return the class of each sample: the number of the output that is largest."""
    raise NotImplementedError(
        "network.py: fill in predict: go forward, and look which output of each sample is largest"
    )
